package dev.baton.lab.study.window;

import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Rate;
import dev.baton.lab.trial.FinalCounts;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/**
 * Settles the job after its threads have ended. The account is of items: events on their way in, results on their way out. A step that was
 * not complete by the deadline is charged as if it had begun and been completed then. Only items that a chain at rest has not delivered are
 * lost: items that came late, or wait for emission, were not drained.
 *
 * <p>The rate is that of items, too: the requested ones are the events and the keys of every measured step, the achieved ones those of the
 * steps that were complete at the end of the measurement, with a tolerance of the window's grace or one step. Confined to one thread.
 */
final class WindowAccounting {
    private static final int MOST_INCIDENTS = 50;
    private static final double NANOS = 1e9;

    private final List<JobPart> parts;
    private final Window window;
    private final WindowStudy study;
    private final StepBoard board;
    private final IntPredicate isDrained;
    private final EventSchedule schedule; // null when the window has not started
    private final int first;
    private final int last;

    WindowAccounting(List<JobPart> parts, Window window, WindowStudy study, StepBoard board, IntPredicate isDrained) {
        this.parts = parts;
        this.window = window;
        this.study = study;
        this.board = board;
        this.isDrained = isDrained;
        schedule = window.isStarted() ? parts.get(0).schedule() : null;
        first = schedule == null ? 1 : schedule.stepsUntil(window.measureNanos()) + 1;
        last = schedule == null ? 0 : schedule.stepsUntil(window.endNanos());
    }

    /** Enters what never arrived, and adds up. Once. */
    FinalCounts settle(LatencyHistograms charged, InstanceHistogram responses) {
        for (int step = first; step <= last; step++) {
            if (!board.isDone(step)) {
                charged.recordResponse(begunNanos(step));
            }
            if (!board.isAnnounced(step)) {
                charged.recordSendDelay(leftNanos(step));
            }
            responses.record(begunNanos(step));
        }
        return new FinalCounts(delivery(), rate(), List.of());
    }

    private Delivery delivery() {
        long sent = sum(JobPart::sentItems);
        long delivered = sum(JobPart::deliveredItems);
        long lost = parts.stream()
                .filter(part -> isDrained.test(part.index) && !part.service.state.isEmitting())
                .mapToLong(part -> part.sentItems() - part.deliveredItems() - part.sink.late)
                .sum();
        List<Incident> incidents = parts.stream()
                .flatMap(part -> part.sink.incidents.stream())
                .limit(MOST_INCIDENTS)
                .toList();
        return new Delivery(
                sent,
                delivered,
                lost,
                sent - delivered - lost,
                sum(part -> part.sink.duplicated),
                sum(part -> part.sink.reordered),
                sum(part -> part.sink.corrupted),
                schedule == null ? 0 : sum(this::unsentItems),
                incidents);
    }

    private long unsentItems(JobPart part) {
        long due = part.schedule().eventsBefore(window.endNanos());
        long watermarks = Math.max(0, last - part.source.announced);
        return Math.max(0, due - part.source.sent.count()) + watermarks * part.keys.keys();
    }

    private Rate rate() {
        long asked = 0;
        long achieved = 0;
        long graceNanos = Math.max(window.graceNanos(), study.stepNanos());
        for (int step = first; step <= last; step++) {
            long items = items(step);
            asked += items;
            if (board.isDone(step) && endNanos(step) + doneNanos(step) - window.endNanos() <= graceNanos) {
                achieved += items;
            }
        }
        double seconds = Math.max(0, last - first + 1) * study.stepNanos() / NANOS;
        double share = asked == 0 ? 1 : achieved / (double) asked;
        return new Rate(seconds == 0 ? 0 : asked / seconds, seconds == 0 ? 0 : achieved / seconds, share, share, 1);
    }

    private long items(int step) {
        return study.keys() + sum(part -> part.schedule().eventsIn(step));
    }

    private long sum(ToLongFunction<JobPart> figure) {
        return parts.stream().mapToLong(figure).sum();
    }

    StepFigures.Steps steps() {
        return new StepFigures.Steps(first, last, this::endNanos, this::begunNanos, this::doneNanos);
    }

    private long endNanos(int step) {
        return schedule.endOf(step);
    }

    private long begunNanos(int step) {
        return board.isDone(step) ? board.begunNanos(step) : leftNanos(step);
    }

    private long doneNanos(int step) {
        return board.isDone(step) ? board.doneNanos(step) : leftNanos(step);
    }

    private long leftNanos(int step) {
        return window.deadlineNanos() - endNanos(step);
    }
}
