package dev.baton.lab.reporting;

import dev.baton.lab.launch.FinishedTrial;
import dev.baton.lab.launch.TrialListener;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.line.StatusLine;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Function;

/**
 * Shows the progress of trials: on a terminal one line that is overwritten and removed at the end, elsewhere one line per phase. Confined
 * to the thread that runs the trials.
 */
public class ProgressLine implements TrialListener, AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    private final StatusLine line;
    private final Terminal terminal;
    private final Function<TrialPlan, String> names;
    private String who = "";
    private Event.Phase phase;

    public ProgressLine(PrintWriter err, Terminal terminal) {
        this(err, terminal, ProgressLine::name);
    }

    /**
     * Creates a progress line.
     *
     * @param names of trials
     */
    public ProgressLine(PrintWriter err, Terminal terminal, Function<TrialPlan, String> names) {
        line = new StatusLine(err, terminal);
        this.terminal = terminal;
        this.names = names;
    }

    /** {@return the name of a trial for commands without their own names} */
    public static String name(TrialPlan plan) {
        int instances = plan.shape().instances();
        return TrialNames.of(plan) + (instances > 1 ? " x " + Units.count(instances) : "");
    }

    @Override
    public void onStart(TrialPlan plan, int number, int of) {
        who = (of > 1 ? "[" + number + "/" + of + "] " : "") + names.apply(plan);
        phase = null;
        if (terminal.errIsTerminal()) {
            line.show(who + "  starting a JVM");
        }
    }

    @Override
    public void onBroker(TrialPlan plan) {
        line.show(who + (terminal.errIsTerminal() ? "  " : ": ") + "starting a broker");
    }

    @Override
    public void onProgress(TrialPlan plan, Event.Progress progress) {
        if (terminal.errIsTerminal()) {
            line.show(who + "  " + running(plan, progress));
        } else if (progress.phase() != phase) {
            line.show(who + ": " + beginning(plan, progress.phase()));
        }
        phase = progress.phase();
    }

    @Override
    public void onEnd(FinishedTrial trial) {
        close();
    }

    /** Leaves nothing of it on the terminal. */
    @Override
    public void close() {
        line.close();
    }

    private static String running(TrialPlan plan, Event.Progress progress) {
        String name = name(progress.phase());
        if (progress.phase() == Event.Phase.OPENING) {
            int all = plan.shape().instances();
            return all == 1
                    ? name
                    : name + "  " + Units.count(progress.opened()) + " of " + Units.count(all) + " instances";
        }
        boolean isTimed = progress.p50Nanos() != null && progress.p99Nanos() != null;
        return name + "  " + clock(progress.elapsedNanos())
                + (progress.remainingNanos() == null
                        ? ""
                        : ", " + clock(progress.remainingNanos() + SECOND - 1) + " left")
                + (isTimed
                        ? "  p50 " + Units.time(progress.p50Nanos()) + "  p99 " + Units.time(progress.p99Nanos())
                        : "");
    }

    private static String clock(long nanos) {
        return Units.clock(Duration.ofNanos(nanos));
    }

    private static String beginning(TrialPlan plan, Event.Phase phase) {
        return switch (phase) {
            case WARMUP -> lasting(phase, plan.phases().warmupNanos());
            case MEASURING -> lasting(phase, plan.phases().measureNanos());
            default -> name(phase);
        };
    }

    private static String lasting(Event.Phase phase, long nanos) {
        return name(phase) + " for " + Units.typed(Duration.ofNanos(nanos));
    }

    private static String name(Event.Phase phase) {
        return switch (phase) {
            case OPENING -> "opening";
            case WARMUP -> "warming up";
            case MEASURING -> "measuring";
            case DRAINING -> "draining";
            case CLOSING -> "closing";
            case BESIDE -> "comparing";
        };
    }
}
