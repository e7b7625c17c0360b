package dev.baton.jmh;

import dev.baton.measuring.machine.KernelTree;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Fails when the ratio of a hop through Baton to the same hop through the library exceeds the bound of a stored baseline.
 *
 * <p>The library is used in two ways: by its own calls, one for each message except over the Disruptor, whose calls take a batch, and by a
 * hand-written loop that batches like Baton without guarantees, the cooperative reference.
 *
 * <p>A ratio of two figures of one JVM, measured in turn, characterises a build better than a time: it varies by a few per cent where times
 * vary by a third. Each recorded run takes {@value #FORKS} JVMs for each hop and has one figure for it, the mean of the logarithms of their
 * ratios. The baseline holds such figures of runs of identical builds, by host. A comparison measures each hop in one JVM first. If that
 * exceeds the bound, {@value #FORKS} JVMs measure it, and if they do so, too, {@value #FORKS} others. A hop is worse when both figures exceed
 * the upper prediction bound for one more run of the baseline (Student's distribution, {@value #FALSE_ALARMS} for all hops together) and are
 * more than {@value #LEAST_GROWTH} above its mean, as runs recorded within hours do not show the differences between days. If only the first
 * one does, the hop is inconclusive, and so is a host with fewer than {@value #FEWEST_RUNS} runs. A hop that is worse by less than the
 * scatter between JVMs may pass the first measurement.
 *
 * <p>Exit codes are those of {@code baton gate}: 0 not worse, 1 worse, 2 usage error or a baseline that cannot be read, 3 measurement not
 * possible, 4 inconclusive.
 */
record HopRatios(Measure measure, String host, PrintStream out) {
    static final double FALSE_ALARMS = 0.005;
    static final double LEAST_GROWTH = 0.1;
    static final int FEWEST_RUNS = 5;

    static final int FORKS = 3;
    private static final List<Integer> BATCHES = List.of(1, 16);
    private static final String RECORD = "--record";
    private static final String COLUMNS = "host,hop,ratio";
    private static final String USAGE = """
            usage: HopRatios [--record] BASELINE.csv

            Measures what a hop through Baton takes over what the same hop takes through the
            library's own calls, and through a hand-written loop with batches like Baton's
            (cooperative), and compares it with runs of identical builds. Takes two to four
            minutes; nothing else should run beside it.

              BASELINE.csv   those runs: host,hop,ratio
              --record       add this run to the file instead, which is made when missing
              -h, --help     show this text and exit

            Exit codes: 0 not worse, 1 worse, 2 usage error or damaged baseline, 3 could not
            be measured, 4 inconclusive.""";

    /**
     * One figure of the baseline.
     *
     * @param host processor and JDK
     * @param hop transport and messages per batch
     * @param ratio of a run: the geometric mean of those of its JVMs
     */
    record Figure(String host, String hop, double ratio) {
        /**
         * Parses a line.
         *
         * @throws IllegalArgumentException for a line that {@link #toString} has not written
         */
        static Figure parse(String line) {
            String[] columns = line.split(",");
            if (columns.length != COLUMNS.split(",").length) {
                throw new IllegalArgumentException("'" + line + "' is not '" + COLUMNS + "'");
            }
            double ratio = Double.parseDouble(columns[2]);
            if (!(ratio > 0 && Double.isFinite(ratio))) {
                throw new IllegalArgumentException("'" + columns[2] + "' is no ratio; it must be above 0 and finite");
            }
            return new Figure(columns[0], columns[1], ratio);
        }

        @Override
        public String toString() {
            return String.join(",", host, hop, String.format(Locale.ROOT, "%.4f", ratio));
        }
    }

    /** The figures of identical builds on a host for one hop. */
    record Expected(int runs, double meanLog, double boundLog) {
        /**
         * Computes the expected value and its bound.
         *
         * @param checks hops that are compared in one run
         */
        static Expected of(List<Figure> baseline, String host, String hop, int checks) {
            double[] logs = baseline.stream()
                    .filter(figure -> figure.host().equals(host) && figure.hop().equals(hop))
                    .mapToDouble(figure -> Math.log(figure.ratio()))
                    .toArray();
            if (logs.length < FEWEST_RUNS) {
                return new Expected(logs.length, Double.NaN, Double.POSITIVE_INFINITY);
            }
            double mean = StatUtils.mean(logs);
            double quantile =
                    new TDistribution(null, logs.length - 1).inverseCumulativeProbability(1 - FALSE_ALARMS / checks);
            double margin = quantile * Math.sqrt(StatUtils.variance(logs) * (1 + 1.0 / logs.length));
            return new Expected(logs.length, mean, mean + Math.max(margin, Math.log1p(LEAST_GROWTH)));
        }

        boolean isKnown() {
            return runs >= FEWEST_RUNS;
        }

        boolean isExceededBy(double log) {
            return log > boundLog;
        }
    }

    /**
     * The logarithms of Baton's time over that of the library.
     *
     * @param calls used by its own calls
     * @param cooperative used by a hand-written loop with batches like Baton's
     */
    record LogRatios(double calls, double cooperative) {
        double[] all() {
            return new double[] {calls, cooperative};
        }
    }

    /** Measures one hop in this number of separate JVMs. */
    interface Measure {
        LogRatios logRatios(String transport, int batch, int jvms) throws IOException;
    }

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), HopRatios::measure, System.out, System.err));
    }

    /** Runs the command line. @return the exit code */
    static int run(List<String> arguments, Measure measure, PrintStream out, PrintStream err) {
        if (arguments.contains("-h") || arguments.contains("--help")) {
            out.println(USAGE);
            return ExitCode.OK;
        }
        List<String> files =
                arguments.stream().filter(each -> !each.equals(RECORD)).toList();
        if (files.size() != 1 || files.get(0).startsWith("-") || arguments.size() > 2) {
            err.println(USAGE);
            return ExitCode.USAGE;
        }
        try {
            HopRatios ratios = new HopRatios(measure, thisHost(), out);
            Path baseline = Path.of(files.get(0));
            return arguments.contains(RECORD) ? ratios.record(baseline) : ratios.compare(read(baseline));
        } catch (CommandException refused) {
            err.println("HopRatios: " + refused.getMessage());
            return ExitCode.of(refused);
        } catch (IOException | RuntimeException failed) {
            err.println("HopRatios: could not measure or write: " + failed);
            return ExitCode.ENVIRONMENT;
        }
    }

    private static LogRatios measure(String transport, int batch, int jvms) throws IOException {
        double[] calls = new double[jvms];
        double[] cooperative = new double[jvms];
        for (int i = 0; i < jvms; i++) {
            Fork.sync(); // unwritten data of other processes make new pages slower
            long[] picos = Fork.run(List.of("-Xms256m", "-Xmx256m"), HopPair.class, transport, batch);
            if (picos.length != 3 || Arrays.stream(picos).anyMatch(each -> each <= 0)) {
                throw new IllegalStateException(
                        names(transport, batch).get(0) + " took " + Arrays.toString(picos) + " ps");
            }
            calls[i] = Math.log((double) picos[0] / picos[1]);
            cooperative[i] = Math.log((double) picos[0] / picos[2]);
        }
        return new LogRatios(StatUtils.mean(calls), StatUtils.mean(cooperative));
    }

    /** Returns the processor by its numbers, as many virtual ones share a name; without numbers that the kernel does not show. */
    static String thisHost() {
        List<String> cpu = KernelTree.OF_THIS_MACHINE.lines("proc/cpuinfo");
        List<String> parts = new ArrayList<>();
        parts.add(Objects.requireNonNullElse(KernelTree.value(cpu, "model name"), System.getProperty("os.arch")));
        for (String number : List.of("cpu family", "model")) {
            String value = KernelTree.value(cpu, number);
            if (value != null) {
                parts.add(number.replace("cpu ", "") + " " + value);
            }
        }
        parts.add("JDK " + Runtime.version().feature());
        return String.join(" ", parts).replace(',', ' ');
    }

    /**
     * Reads a baseline.
     *
     * @throws CommandException (usage) when the file or one of its lines cannot be read
     */
    static List<Figure> read(Path baseline) {
        List<String> lines;
        try {
            lines = Files.readAllLines(baseline);
        } catch (IOException unreadable) {
            throw CommandException.usage(
                    "cannot read " + baseline + " (" + unreadable + "); " + RECORD + " makes a baseline", unreadable);
        }
        if (lines.isEmpty() || !lines.get(0).equals(COLUMNS)) {
            throw CommandException.usage(baseline + " is not a baseline: its first line must be '" + COLUMNS + "'");
        }
        List<Figure> figures = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            try {
                figures.add(Figure.parse(lines.get(i)));
            } catch (IllegalArgumentException damaged) {
                throw CommandException.usage(
                        baseline + ", line " + (i + 1) + ": " + damaged.getMessage() + "; remove it or record anew",
                        damaged);
            }
        }
        return figures;
    }

    /** Measures all hops once and adds them to the file. */
    private int record(Path baseline) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.exists(baseline)) {
            read(baseline); // refused before a minute is spent
        } else {
            lines.add(COLUMNS);
        }
        for (String transport : transports()) {
            for (int batch : BATCHES) {
                double[] logs = measure.logRatios(transport, batch, FORKS).all();
                for (int i = 0; i < logs.length; i++) {
                    Figure figure = new Figure(host, names(transport, batch).get(i), Math.exp(logs[i]));
                    out.println(figure);
                    lines.add(figure.toString());
                }
            }
        }
        if (!endsWithLine(baseline)) {
            lines.add(0, ""); // or the first figure would continue the last line of an editor that ends none
        }
        Files.write(baseline, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return ExitCode.OK;
    }

    private static boolean endsWithLine(Path baseline) throws IOException {
        return !Files.exists(baseline) || Files.readString(baseline).endsWith("\n");
    }

    /** Measures all hops, those that exceed their bound repeatedly, and prints a table. @return the exit code */
    int compare(List<Figure> baseline) throws IOException {
        int checks = hops().size();
        int code = ExitCode.OK;
        out.println("CPU time of a hop through Baton over that of the library's own calls, and of a hand-written");
        out.println("loop with batches like Baton's (cooperative); " + host);
        out.printf(Locale.ROOT, "%-31s %6s  %-17s %6s%n", "hop", "ratio", "identical builds", "bound");
        for (String transport : transports()) {
            for (int batch : BATCHES) {
                List<String> names = names(transport, batch);
                List<Expected> expected = names.stream()
                        .map(name -> Expected.of(baseline, host, name, checks))
                        .toList();
                double[] logs = measure.logRatios(transport, batch, 1).all();
                if (isExceeded(expected, logs)) {
                    logs = measure.logRatios(transport, batch, FORKS).all();
                }
                double[] again = isExceeded(expected, logs)
                        ? measure.logRatios(transport, batch, FORKS).all()
                        : null;
                for (int i = 0; i < logs.length; i++) {
                    Expected one = expected.get(i);
                    double second = one.isExceededBy(logs[i]) ? again[i] : Double.NaN;
                    int outcome = outcome(one, logs[i], second);
                    out.println(line(names.get(i), one, logs[i], second, outcome));
                    code = ExitCode.graver(code, outcome);
                }
            }
        }
        if (code == ExitCode.INCONCLUSIVE) {
            out.println("inconclusive: a baseline of this host needs " + FEWEST_RUNS + " runs, made with " + RECORD
                    + "; a ratio above its bound in one of two measurements may be noise");
        }
        return code;
    }

    private static boolean isExceeded(List<Expected> expected, double[] logs) {
        return IntStream.range(0, logs.length).anyMatch(i -> expected.get(i).isExceededBy(logs[i]));
    }

    /**
     * Compares a figure with its bound.
     *
     * @param again NaN when it was not measured a second time
     */
    private static int outcome(Expected expected, double log, double again) {
        if (!expected.isKnown()) {
            return ExitCode.INCONCLUSIVE;
        }
        if (!expected.isExceededBy(log)) {
            return ExitCode.OK;
        }
        return expected.isExceededBy(again) ? ExitCode.FAILED : ExitCode.INCONCLUSIVE;
    }

    private static String line(String hop, Expected expected, double log, double again, int outcome) {
        String known = expected.isKnown()
                ? String.format(Locale.ROOT, "%.2f in %d runs", Math.exp(expected.meanLog()), expected.runs())
                : expected.runs() + " runs";
        String bound = expected.isKnown() ? String.format(Locale.ROOT, "%.2f", Math.exp(expected.boundLog())) : "none";
        String word = outcome == ExitCode.OK ? "pass" : outcome == ExitCode.FAILED ? "WORSE" : "inconclusive";
        String twice = Double.isNaN(again) ? "" : String.format(Locale.ROOT, ", measured again: %.2f", Math.exp(again));
        return String.format(
                Locale.ROOT, "%-31s %6.2f  %-17s %6s  %s%s", hop, Math.exp(log), known, bound, word, twice);
    }

    /** {@return the measured hops, by their names in a baseline} */
    static List<String> hops() {
        return transports().stream()
                .flatMap(transport -> BATCHES.stream().flatMap(batch -> names(transport, batch).stream()))
                .toList();
    }

    private static List<String> transports() {
        return HopPair.HOPS.keySet().stream().sorted().toList();
    }

    /** Returns the names of a hop's ratios, in the order of {@link LogRatios#all}. */
    private static List<String> names(String transport, int batch) {
        String hop = transport + " x" + batch;
        return List.of(hop, hop + " cooperative");
    }
}
