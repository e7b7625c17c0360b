package dev.baton.lab.study.window;

import dev.baton.Message;
import dev.baton.OutputHandler;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Incident.Kind;
import dev.baton.measuring.Counter;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.RecorderPool;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the results of one part: times each step, and checks that every key came once and that the totals add up to what was sent. Reads
 * the clock at the first and at the last key of a step.
 *
 * <p>Confined to the loop of the chain's outlet; {@link #received} and {@link #completed} may be called by any thread; the faults may be
 * read after the end of that loop.
 */
final class StepSink implements OutputHandler {
    private static final int MOST_INCIDENTS = 5;

    private final JobPart part;
    private final NanoClock clock;
    private final int[] seen; // the last step that each key came in
    final Counter received = new Counter(); // results in steps that are over
    final Counter completed = new Counter(); // steps received whole
    final List<Incident> incidents = new ArrayList<>(); // the first few faults; the number is the step's
    private LatencyRecorder[] recorders; // by phase; null until the first result
    private int step; // the current one
    private long begunNanos;
    private long lastNanos; // when the last key of the step before arrived; 0 when there was none
    private int arrived; // keys of it
    private long sum;
    private long weight;
    long late; // results of steps that were complete after the deadline: not drained in time, but not lost
    long duplicated;
    long reordered;
    long corrupted; // steps with a wrong sum, and results that none of the job's sends

    StepSink(JobPart part, NanoClock clock) {
        this.part = part;
        this.clock = clock;
        seen = new int[part.keys.keys()];
    }

    @Override
    public void onOutput(Message in) {
        if (in.type() != step && !begin(in.type())) {
            return;
        }
        int key = Wire.resultKey(in);
        if (key < 0 || key >= seen.length) {
            corrupted(step, "key " + key + " of " + seen.length);
            return;
        }
        if (seen[key] == step) {
            duplicated++;
            note(step, Kind.DUPLICATED, "key " + key + " came again");
            return;
        }
        seen[key] = step;
        long total = Wire.resultTotal(in);
        sum += total;
        weight += total * JobPart.Expected.weightOf(key);
        if (++arrived == seen.length) {
            complete();
        }
    }

    /**
     * Begins a step.
     *
     * @return false if this step may not come now
     */
    private boolean begin(int next) {
        if (next <= 0 || next > part.board.steps()) {
            corrupted(step, "a result of step " + next);
            return false;
        }
        if (next < step) {
            reordered++;
            note(next, Kind.REORDERED, "came after step " + step);
            return false;
        }
        if (next > step + 1 || (step > 0 && arrived < seen.length)) {
            note(step, Kind.LOST, arrived + " of " + seen.length + " keys came before step " + next);
            received.add(arrived == seen.length ? 0 : arrived);
        }
        if (recorders == null) {
            recorders = part.recorders.forThisThreadByPhase();
        }
        begunNanos = clock.nanoTime();
        step = next;
        arrived = 0;
        sum = 0;
        weight = 0;
        return true;
    }

    private void complete() {
        long now = clock.nanoTime();
        if (now - part.window.deadlineNanos() >= 0) {
            late += arrived; // charged as if complete at the deadline
            return;
        }
        received.add(arrived);
        check();
        long end = part.schedule().endOf(step);
        if (part.board.completed(step, begunNanos - end, now - end)) {
            long previous = lastNanos == 0 ? end : lastNanos;
            recorders[RecorderPool.phase(end - 1, part.window.measureNanos())].recordMessage(
                    end, part.board.sendDelayNanos(step), part.board.begunNanos(step), previous);
        }
        lastNanos = now;
        completed.increment();
    }

    private void check() {
        JobPart.Expected expected = part.expected;
        long total = expected.total(step);
        if (sum != total) {
            corrupted(step, "its totals add up to " + sum + " instead of " + total);
        } else if (weight != expected.weight(step)) {
            corrupted(step, "its totals add up to " + total + ", and some are under wrong keys");
        }
    }

    private void corrupted(int ofStep, String detail) {
        corrupted++;
        note(ofStep, Kind.CORRUPTED, detail);
    }

    private void note(int ofStep, Kind kind, String detail) {
        if (incidents.size() < MOST_INCIDENTS) {
            incidents.add(new Incident(part.index + 1, ofStep, kind, detail));
        }
    }
}
