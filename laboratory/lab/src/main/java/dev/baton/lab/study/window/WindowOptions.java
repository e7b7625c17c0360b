package dev.baton.lab.study.window;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.CourseOptions;
import dev.baton.lab.command.load.ArrivalOptions;
import dev.baton.lab.command.load.LimitConverter;
import dev.baton.lab.launch.jvm.CollectorThreads;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.study.window.WindowStudy.KeyOrder;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.NumberConverter;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.terminal.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options of the window: its size, its step, its loops, and the duration. */
@OptionGroup(Heading.LOAD)
final class WindowOptions {
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(20);
    private static final Duration FILLED = Duration.ofSeconds(1); // after the first window is full
    private static final int MOST_LOOPS = 1024;
    private static final String SEARCHED_KEYS = "5000..105000+5000"; // those of the published study

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--search",
            description = {
                "find the maximum rate in items/s that keeps --limit",
                "varies the number of --keys, for each transport, --state, --loops and --collector-threads: short trials find the largest number that keeps the limit and the smallest that breaks it; both are then measured until 100 steps lie above the percentile"
            })
    boolean isSearch;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10000",
            description = {
                "keys that each step emits (default: 10000)",
                "1 to " + WindowStudy.MOST_KEYS + "; " + SweptNumbers.GRAMMAR + "; with --search the default is "
                        + SEARCHED_KEYS
            })
    private String keys;

    @OptionGroup(Heading.EXPERT)
    @Option(
            names = "--key-order",
            paramLabel = "HOW",
            defaultValue = "in-order",
            description =
                    "key of an event: in-order (n %% keys, as in the published study) or uniform (drawn from the seed) (default: in-order)")
    private String keyOrder;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--aggregate",
            paramLabel = "WHAT",
            defaultValue = "count",
            description = {
                "count, sum or time-integral (default: count)",
                "count (as in the published study, gc-rematch), sum of the values, or time-integral of a value that holds until the key's next event"
            })
    private String aggregate;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--state",
            paramLabel = "NAME",
            defaultValue = "boxed,primitive",
            description = {
                "boxed, primitive or both (default: both)",
                "boxed: a hash map for each step, with objects; primitive: arrays, without allocation"
            })
    private String states;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--window",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = {"length of the window (default: 10s)", "a multiple of --step"})
    private Duration window;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--step",
            paramLabel = "TIME",
            defaultValue = "10ms",
            description = {"interval of the window's emissions (default: 10ms)", "each emission has one latency"})
    private Duration step;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1m",
            description = {"events per second of all sources (default: 1m)", "such as 500k or 1m"})
    private BigDecimal rate;

    @Mixin
    private ArrivalOptions arrivals;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--loops",
            paramLabel = "N",
            description = {
                "threads that run everything",
                "1 to " + MOST_LOOPS + "; " + SweptNumbers.GRAMMAR
                        + " (default: the number of cores less the collector's concurrent threads)"
            })
    private String loops;

    @OptionGroup(Heading.JVM)
    @Option(
            names = "--collector-threads",
            paramLabel = "N",
            description = {
                "concurrent threads of the collector",
                "-XX:ConcGCThreads, 1 to " + MOST_LOOPS + "; " + SweptNumbers.GRAMMAR
                        + " (default: the collector's own number)"
            })
    private String collectorThreads;

    @Option(
            names = "--sources",
            paramLabel = "K",
            description = {
                "parallel sources (default: one for each loop)",
                "each has its own chain, and a share of the rate and of the keys; the emission of a step begins when the last chain has begun to emit"
            })
    private BigDecimal sources;

    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            defaultValue = "p99.99<10ms",
            converter = LimitConverter.class,
            description = {
                "limits of the emission's delay (default: p99.99<10ms)",
                "the delay from the end of a window to the start of its emission; a limit is judged only if the duration has 100 steps above its percentile, and otherwise only shown; --search measures until it can judge"
            })
    private LimitConverter.Several limits;

    @Mixin
    CourseOptions course;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    List<Integer> keys() {
        String typed = isSearch && !CourseOptions.isTyped(command, "--keys") ? SEARCHED_KEYS : keys;
        return SweptNumbers.numbers("--keys", typed, 1, WindowStudy.MOST_KEYS);
    }

    List<WindowStudy.State> states() {
        String both = Stream.of(WindowStudy.State.values()).map(Checks::typed).collect(Collectors.joining(","));
        return Stream.of((states.trim().equals("both") ? both : states).split(",", -1))
                .map(each -> Checks.named("--state", each.trim(), "not a state", WindowStudy.State.class))
                .distinct()
                .toList();
    }

    /** Returns the JVM with each given number of collector threads; unchanged without one. */
    List<JvmChoice> choices(JvmChoice choice) {
        if (collectorThreads == null) {
            return List.of(choice);
        }
        require(
                CollectorThreads.concurrent(choice, Runtime.getRuntime().availableProcessors()) > 0,
                "--collector-threads: this collector has no threads that run beside the program; choose --gc g1, zgc or"
                        + " shenandoah");
        return SweptNumbers.numbers("--collector-threads", collectorThreads, 1, MOST_LOOPS).stream()
                .map(threads -> CollectorThreads.with(choice, threads))
                .toList();
    }

    /** Returns the loops of the command line, or as many as the collector leaves cores for. */
    List<Integer> loops(JvmChoice choice) {
        if (loops != null) {
            return SweptNumbers.numbers("--loops", loops, 1, MOST_LOOPS);
        }
        int cores = Runtime.getRuntime().availableProcessors();
        return List.of(Math.max(1, cores - CollectorThreads.concurrent(choice, cores)));
    }

    /** Parts of the job on so many loops. */
    Shape shape(int onLoops, int ofKeys) {
        int parts = sources == null ? Math.min(onLoops, ofKeys) : Checks.integer("--sources", sources, 1, MOST_LOOPS);
        require(parts <= ofKeys, "--sources " + parts + " is more than --keys " + ofKeys + "; each needs a key");
        return new Shape(1, parts, Wire.RESULT_BYTES);
    }

    /** Returns the load of each part. */
    Load load(int parts) {
        require(
                rate.compareTo(BigDecimal.ONE) >= 0 && rate.compareTo(BigDecimal.valueOf(Load.MOST_RATE)) <= 0,
                "--rate " + rate.toPlainString() + " is out of range; 1 to 10000000 events per second");
        return arrivals.of(new Load(rate.doubleValue() / parts, Load.Arrivals.EVEN, course.seed()));
    }

    Phases phases() {
        checkWindow();
        Duration filled = window.plus(FILLED);
        boolean isShort = course.isQuick() || filled.compareTo(course.warmup()) > 0;
        Duration before = isShort && !CourseOptions.isTyped(command, "--warmup") ? filled : course.warmup();
        boolean isExploratory = course.isQuick() && !CourseOptions.isTyped(command, "--duration");
        Duration during = isExploratory ? QUICK_DURATION : course.duration();
        Phases phases = course.phases(before, during);
        require(
                before.compareTo(window) >= 0,
                "--warmup " + Units.typed(before) + " is shorter than --window " + Units.typed(window)
                        + "; the first windows measured would not be full");
        require(
                during.compareTo(step) >= 0,
                "--duration " + Units.typed(during) + " is shorter than --step " + Units.typed(step)
                        + "; no step would end in it");
        long steps = (before.toNanos() + during.toNanos()) / step.toNanos();
        require(
                steps < WindowHeap.MOST_STEPS,
                "--step " + Units.typed(step) + " makes " + Units.count(steps) + " steps; at most "
                        + Units.count(WindowHeap.MOST_STEPS) + ": take a longer step or a shorter --duration");
        return phases;
    }

    private void checkWindow() {
        Checks.time("--step", step, Duration.ofNanos(WindowStudy.LEAST_STEP_NANOS), LONGEST);
        Checks.time("--window", window, step, LONGEST);
        require(
                window.toNanos() % step.toNanos() == 0,
                "--window " + Units.typed(window) + " is not a multiple of --step " + Units.typed(step));
        double events = rate.doubleValue() * window.toNanos() / 1e9;
        require(
                events <= WindowStudy.MOST_EVENTS,
                "--rate " + rate.toPlainString() + " over --window " + Units.typed(window) + " are "
                        + Units.count((long) events) + " events in a window; at most "
                        + Units.count((long) WindowStudy.MOST_EVENTS));
        require(
                window.toNanos() / step.toNanos() < WindowHeap.MOST_STEPS,
                "--window " + Units.typed(window) + " has too many steps of " + Units.typed(step) + "; at most "
                        + Units.count(WindowHeap.MOST_STEPS));
    }

    WindowStudy study(WindowStudy.State state, int ofKeys) {
        return new WindowStudy(
                state,
                ofKeys,
                window.toNanos(),
                step.toNanos(),
                limits.limits(),
                course.isQuick(),
                Checks.known("--key-order", keyOrder, List.of(KeyOrder.IN_ORDER, KeyOrder.UNIFORM)),
                Checks.known("--aggregate", aggregate, List.of(WindowStudy.Aggregate.values())));
    }

    /** Returns the limits for which the measurement has enough steps; none for a search, which judges trials together. */
    List<Limit> judged(Phases phases) {
        if (isSearch) {
            return List.of();
        }
        double perSecond = 1e9 / step.toNanos();
        return limits.limits().stream()
                .filter(limit -> phases.measureNanos() >= limit.runForNanos(limit.leastSamples(), perSecond))
                .toList();
    }

    /**
     * Reads the whole numbers that an option sweeps over: {@code 5000,25000}, {@code 5000..105000} for doubled steps from the
     * first to the last, {@code 5000..105000+20000} for equal ones. Stateless, thread-safe.
     */
    static final class SweptNumbers {
        /** For help texts. */
        static final String GRAMMAR = "several with commas; a..b doubles from a to b, a..b+c goes in steps of c";

        private static final int MOST = 100;
        private static final String RANGE = "..";

        private SweptNumbers() {}

        /** Returns all numbers, in the order of the command line, each once. */
        static List<Integer> numbers(String option, String text, int least, int most) {
            List<Integer> numbers = new ArrayList<>();
            for (String each : text.split(",", -1)) {
                int dots = each.indexOf(RANGE);
                if (dots < 0) {
                    numbers.add(number(option, each, least, most));
                } else {
                    addRange(numbers, option, each, dots, least, most);
                }
            }
            List<Integer> distinct = numbers.stream().distinct().toList();
            require(distinct.size() <= MOST, option + " " + text + " are " + distinct.size() + " values; 1 to " + MOST);
            return distinct;
        }

        private static void addRange(
                List<Integer> numbers, String option, String range, int dots, int least, int most) {
            String rest = range.substring(dots + RANGE.length());
            int plus = rest.indexOf('+');
            int first = number(option, range.substring(0, dots), least, most);
            int last = number(option, plus < 0 ? rest : rest.substring(0, plus), least, most);
            int step = plus < 0 ? 0 : number(option, rest.substring(plus + 1), 1, most);
            require(first <= last, option + " " + range + " goes down; write the smaller number first");
            require(
                    step == 0 || (last - first) / step < MOST,
                    option + " " + range + " is more than " + MOST + " values; take longer steps");
            for (long each = first; each < last; each = step == 0 ? each * 2 : each + step) {
                numbers.add((int) each);
            }
            numbers.add(last);
        }

        private static int number(String option, String text, int least, int most) {
            try {
                BigDecimal number = new NumberConverter().convert(text.trim());
                return Checks.integer(option, number, least, most);
            } catch (TypeConversionException malformed) {
                throw CommandException.usage(option + ": " + malformed.getMessage());
            }
        }
    }
}
