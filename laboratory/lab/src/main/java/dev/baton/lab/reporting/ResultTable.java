package dev.baton.lab.reporting;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Trials side by side: what was measured in rows, a column per trial. Stateless, thread-safe. */
public final class ResultTable {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

    /** Percentiles of the readings in addition to the first one. */
    private static final double[] SIDE_PERCENTILES = {50, 99, 99.9};

    private static final String RESPONSE = "response  ";
    private static final String SERVICE = "service   ";
    private static final String SEND_DELAY = "send delay ";

    /** The mark of a response time that begins well before its send. */
    static final String LATE = " *";

    private static final String OTHERS = "other processes";

    /** The cell without a figure. */
    public static final Cell NONE = Cell.of(Table.NOTHING);

    /** The figures that a page shows, by their headings. */
    private static final Map<String, Function<TrialResult, Cell>> FIGURES = figures();

    private ResultTable() {}

    /** The table of these trials, which have a result each. */
    public static Table of(List<TrialResult> trials) {
        Table table = columns(trials);
        deliveryRows(table, trials);
        if (isSaturated(trials)) {
            table.gap();
            row(table, trials, "messages  per second", trial -> Cell.of(perSecond(trial), Tone.BOLD));
            row(table, trials, "one hop   wall time", trial -> hop(trial.wallNanosPerHop()));
            row(table, trials, "          CPU time", trial -> hop(trial.cpuNanosPerHop()));
        }
        backlogRows(table, trials);
        partitionRows(table, trials);
        table.gap();
        if (trials.stream().anyMatch(ResultTable::isMeasured)) {
            latencyRows(table, trials);
            table.gap();
            machineRows(table, trials);
            table.gap();
        }
        verdictRow(table, trials);
        return table;
    }

    /** A table with a column for each trial, and no row yet. */
    public static Table columns(List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        return new Table(trials.stream()
                .map(trial -> Cell.of(names.of(trial), Tone.BOLD))
                .toList());
    }

    /** {@return whether its measurement began, or a message arrived} A chain may stop at its first message. */
    private static boolean isMeasured(TrialResult trial) {
        return trial.machine() != null || trial.service().count() > 0;
    }

    /** Trials side by side have the same load. */
    private static boolean isSaturated(List<TrialResult> trials) {
        return trials.stream().anyMatch(trial -> trial.plan().load().isSaturated());
    }

    private static Cell hop(Double nanos) {
        return nanos == null ? NONE : Cell.of(Units.count(Math.round(nanos)) + " ns");
    }

    private static String perSecond(TrialResult trial) {
        return Units.count(Math.round(trial.rate().achievedPerSecond()));
    }

    /** The headings of a page's figures that at least one of these trials has. */
    public static List<String> headings(List<TrialResult> trials) {
        return FIGURES.keySet().stream()
                .filter(heading -> trials.stream()
                        .anyMatch(trial -> !figure(trial, heading).equals(NONE)))
                .toList();
    }

    /** Returns the cell under a page's heading. */
    public static Cell figure(TrialResult trial, String heading) {
        return FIGURES.get(heading).apply(trial);
    }

    private static Map<String, Function<TrialResult, Cell>> figures() {
        Map<String, Function<TrialResult, Cell>> figures = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            figures.put(name(percentile), trial -> percentile(trial.response(), percentile));
        }
        figures.put("max", trial -> max(trial.response()));
        figures.put(
                "send delay p99.9",
                trial -> trial.plan().load().isClosed() ? NONE : percentile(trial.sendDelay(), 99.9));
        figures.put("achieved/s", trial -> {
            double rate = trial.rate().achievedPerSecond();
            return trial.plan().load().isNone()
                    ? NONE
                    : Cell.of(rate < 10 ? String.format(Locale.ROOT, "%.2f", rate) : perSecond(trial));
        });
        figures.put("handled after", trial -> backlog(trial, Rate.Backlog::handledNanos));
        figures.put("caught up after", trial -> backlog(trial, Rate.Backlog::caughtUpNanos));
        figures.put("sent", trial -> trial.plan().load().isNone() ? NONE : count(trial, Delivery::sent));
        figures.put("delivered", trial -> trial.plan().load().isNone() ? NONE : delivered(trial.delivery()));
        figures.put("CPU", trial -> machine(trial, Machine::chainCpuCores, Units::percent));
        figures.put("program CPU", trial -> machine(trial, Machine::programCpuCores, Units::percent));
        figures.put("generator CPU", trial -> machine(trial, Machine::generator, use -> Units.percent(use.cpuCores())));
        figures.put("probes CPU", trial -> machine(trial, Machine::observersCpuCores, Units::percent));
        figures.put("broker CPU", trial -> machine(trial, Machine::brokerCpuCores, Units::percent));
        figures.put("RSS", trial -> machine(trial, Machine::memory, ResultTable::resident));
        figures.put("allocated/msg", trial -> machine(trial, Machine::allocatedBytesPerMessage, Units::bytes));
        figures.put(OTHERS, trial -> host(trial, HostActivity::otherProcessesCores, Units::percent));
        figures.put("steal", trial -> host(trial, HostActivity::stealShare, Units::percent));
        figures.put("worst stall", trial -> host(trial, HostActivity::worstStallNanos, Units::time));
        return figures;
    }

    /** Adds the times until a backlog was handled; they are of the slowest instance. */
    private static void backlogRows(Table table, List<TrialResult> trials) {
        if (trials.stream().anyMatch(trial -> trial.rate().backlog() != null)) {
            table.gap();
            row(table, trials, "backlog   handled after", trial -> backlog(trial, Rate.Backlog::handledNanos));
            row(table, trials, "          caught up after", trial -> backlog(trial, Rate.Backlog::caughtUpNanos));
        }
    }

    /** Adds the distribution of messages over partitions, and the slowest partition. */
    private static void partitionRows(Table table, List<TrialResult> trials) {
        if (trials.stream().anyMatch(trial -> !trial.rate().partitions().isEmpty())) {
            table.gap();
            row(
                    table,
                    trials,
                    "partition busiest",
                    trial -> trial.rate()
                            .busiestPartition()
                            .map(each -> Cell.of("@" + each.partition() + ", "
                                    + Units.percent(each.count()
                                            / (double) trial.rate().partitions().stream()
                                                    .mapToLong(Rate.Partition::count)
                                                    .sum())
                                    + " of the messages"))
                            .orElse(NONE));
            row(
                    table,
                    trials,
                    "          slowest",
                    trial -> trial.rate()
                            .slowestPartition()
                            .map(each -> Cell.of("@" + each.partition()))
                            .orElse(NONE));
            row(
                    table,
                    trials,
                    "          its p99.9",
                    trial -> trial.rate()
                            .slowestPartition()
                            .map(each -> response(each.p999Nanos(), each.count()))
                            .orElse(NONE));
        }
    }

    private static Cell backlog(TrialResult trial, Function<Rate.Backlog, Long> time) {
        return orNone(trial.rate().backlog(), time, Units::time);
    }

    public static void verdictRow(Table table, List<TrialResult> trials) {
        row(table, trials, "verdict", ResultTable::verdict);
    }

    public static void deliveryRows(Table table, List<TrialResult> trials) {
        figureRow(table, trials, "sent", "sent");
        figureRow(table, trials, "delivered", "delivered");
        if (trials.stream().anyMatch(trial -> trial.delivery().filtered() != 0)) {
            row(table, trials, "filtered", trial -> count(trial, Delivery::filtered));
        }
        faultRow(table, trials, "lost", Delivery::lost);
        faultRow(table, trials, "not drained", Delivery::undrained);
        faultRow(table, trials, "duplicated", Delivery::duplicated);
        faultRow(table, trials, "reordered", Delivery::reordered);
        faultRow(table, trials, "corrupted", Delivery::corrupted);
        faultRow(table, trials, "never sent", Delivery::unsent);
    }

    private static void latencyRows(Table table, List<TrialResult> trials) {
        boolean isSaturated = isSaturated(trials);
        boolean isFromSend = isSaturated
                || trials.stream().anyMatch(trial -> trial.plan().load().isReadFromSend());
        String first = isFromSend ? SERVICE : RESPONSE;
        Function<TrialResult, Latency> latency = isFromSend ? TrialResult::service : TrialResult::response;
        for (double percentile : PERCENTILES) {
            String label = (percentile == PERCENTILES[0] ? first : "          ") + name(percentile);
            row(table, trials, label, trial -> percentile(latency.apply(trial), percentile));
        }
        row(table, trials, "          max", trial -> max(latency.apply(trial)));
        if (isSaturated) {
            return; // nothing was late: nothing was due
        }
        if (trials.stream().anyMatch(trial -> trial.plan().shape().instances() > 1)) {
            row(
                    table,
                    trials,
                    "worst     p99.9",
                    trial -> worst(trial, each -> response(each.p999Nanos(), each.count())));
            row(table, trials, "          instance", trial -> worst(trial, each -> Cell.of("#" + each.instance())));
        }
        readingRows(
                table,
                trials,
                isFromSend ? RESPONSE : SERVICE,
                isFromSend ? TrialResult::response : TrialResult::service);
        readingRows(table, trials, SEND_DELAY, TrialResult::sendDelay);
    }

    private static void readingRows(
            Table table, List<TrialResult> trials, String heading, Function<TrialResult, Latency> latency) {
        for (double percentile : SIDE_PERCENTILES) {
            String label =
                    (percentile == SIDE_PERCENTILES[0] ? heading : " ".repeat(heading.length())) + name(percentile);
            row(table, trials, label, trial -> percentile(latency.apply(trial), percentile));
        }
    }

    /** A figure of the instance with the highest p99.9, judged by itself. */
    private static Cell worst(TrialResult trial, Function<InstanceFigures, Cell> figure) {
        return trial.worstInstance().map(figure).orElse(NONE);
    }

    private static Cell response(long p999Nanos, long count) {
        return Cell.of(Units.time(p999Nanos), Percentiles.hasFewSamples(99.9, count) ? Tone.GREY : Tone.PLAIN);
    }

    private static boolean hasGenerator(TrialResult trial) {
        return trial.machine() != null && trial.machine().generator() != null;
    }

    public static void machineRows(Table table, List<TrialResult> trials) {
        figureRow(table, trials, "JVM       CPU of a core", "CPU");
        if (trials.stream().anyMatch(ResultTable::hasGenerator)) {
            figureRow(table, trials, "          + sender", "generator CPU");
        }
        figureRow(table, trials, "          + probes", "probes CPU");
        if (trials.stream().anyMatch(trial -> trial.plan().shape().busyNanos() > 0)) {
            row(
                    table,
                    trials,
                    "          services' work",
                    trial -> Cell.of(Units.percent(trial.rate().achievedPerSecond()
                            * trial.plan().shape().busyNanos()
                            / 1e9)));
        }
        figureRow(table, trials, "          allocated/msg", "allocated/msg");
        figureRow(table, trials, "          RSS", "RSS");
        int brokers = trials.stream()
                .mapToInt(trial -> trial.place().brokerPids().size())
                .max()
                .orElse(0);
        if (brokers > 0) {
            figureRow(
                    table,
                    trials,
                    (brokers == 1 ? "broker    " : brokers + " brokers ") + "CPU of a core",
                    "broker CPU");
            row(table, trials, "          RSS", trial -> machine(trial, Machine::brokerMemory, ResultTable::resident));
        }
        figureRow(table, trials, "machine   steal", "steal");
        figureRow(table, trials, "          " + OTHERS, OTHERS);
        figureRow(table, trials, "          worst stall", "worst stall");
        stallRow(table, trials);
    }

    /** Adds the causes of stalls longer than 10 ms. */
    private static void stallRow(Table table, List<TrialResult> trials) {
        Function<HostActivity, HostActivity.Stall> worst =
                host -> host.stalls().isEmpty() ? null : host.stalls().get(0);
        Function<HostActivity.Stall, String> cause = stall -> switch (stall.cause()) {
            case JVM -> "this JVM";
            case BUSY -> "own load";
            case OTHER_PROCESSES -> "other processes";
            case STOPPED -> "process stopped";
            case HOST -> "host";
        };
        List<Cell> cells =
                trials.stream().map(trial -> host(trial, worst, cause)).toList();
        if (!cells.stream().allMatch(NONE::equals)) {
            table.row("          caused by", cells);
        }
    }

    /** A figure of the machine; there is none when the trial ended before its measurement began. */
    public static <T> Cell machine(TrialResult trial, Function<Machine, T> figure, Function<T, String> text) {
        return orNone(trial.machine(), figure, text);
    }

    private static <T> Cell host(TrialResult trial, Function<HostActivity, T> figure, Function<T, String> text) {
        return orNone(trial.machine() == null ? null : trial.machine().host(), figure, text);
    }

    private static <S, T> Cell orNone(S source, Function<S, T> figure, Function<T, String> text) {
        T value = source == null ? null : figure.apply(source);
        return value == null ? NONE : Cell.of(text.apply(value));
    }

    private static String resident(Memory memory) {
        return Units.bytes(memory.residentBytes());
    }

    public static void row(Table table, List<TrialResult> trials, String label, Function<TrialResult, Cell> cell) {
        table.row(label, trials.stream().map(cell).toList());
    }

    private static void figureRow(Table table, List<TrialResult> trials, String label, String heading) {
        row(table, trials, label, FIGURES.get(heading));
    }

    /** A row that appears only with a fault. */
    private static void faultRow(Table table, List<TrialResult> trials, String label, ToLongFunction<Delivery> faults) {
        if (trials.stream().anyMatch(trial -> faults.applyAsLong(trial.delivery()) != 0)) {
            row(table, trials, label, trial -> {
                long count = faults.applyAsLong(trial.delivery());
                return Cell.of(Units.count(count), count == 0 ? Tone.PLAIN : Tone.BAD);
            });
        }
    }

    private static Cell count(TrialResult trial, ToLongFunction<Delivery> figure) {
        return Cell.of(Units.count(figure.applyAsLong(trial.delivery())));
    }

    private static Cell delivered(Delivery delivery) {
        return Cell.of(
                Units.count(delivery.delivered()),
                delivery.delivered() + delivery.filtered() == delivery.sent() ? Tone.PLAIN : Tone.BAD);
    }

    public static String name(double percentile) {
        return "p" + (percentile == Math.rint(percentile) ? Long.toString((long) percentile) : "" + percentile);
    }

    /** Grey where it rests on few samples; a dash where it is not known. */
    public static Cell percentile(Latency latency, double percentile) {
        return latency.find(percentile)
                .filter(entry -> entry.nanos() != null)
                .map(entry -> Cell.of(
                        Units.time(entry.nanos()) + (entry.isSenderLate() ? LATE : ""),
                        entry.hasFewSamples() ? Tone.GREY : Tone.PLAIN))
                .orElse(NONE);
    }

    public static Cell max(Latency latency) {
        if (latency.maxNanos() == null) {
            return NONE;
        }
        return Cell.of((latency.clamped() > 0 ? "> " : "") + Units.time(latency.maxNanos()));
    }

    public static Cell verdict(TrialResult trial) {
        return Cell.of(
                Verdicts.word(trial),
                switch (trial.outcome().verdict()) {
                    case PASS -> Tone.GOOD;
                    case FAIL -> Tone.BAD;
                    case INCONCLUSIVE, INTERRUPTED -> Tone.WARNING;
                });
    }
}
