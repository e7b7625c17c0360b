package dev.baton.lab.engines;

import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.time.Duration;

/**
 * The wait of a Kafka consumer in its poll.
 *
 * @param duration for the consumer, which truncates it to milliseconds
 * @param isOnlyWait whether a loop without a message polls again at once
 */
public record PollWait(Duration duration, boolean isOnlyWait) {
    /**
     * Returns the wait: 1 ms by default; an eighth of the interval between two messages in the article's variant; none with an
     * idle strategy, which pauses instead.
     */
    public static PollWait of(TrialPlan plan) {
        if (!plan.loops().idle().equals(LoopPlan.DEFAULT_IDLE)) {
            return new PollWait(Duration.ZERO, false);
        }
        boolean isArticles = plan.subject().engine().equals(Subject.REFERENCE_ARTICLE);
        return new PollWait(
                isArticles ? Duration.ofNanos(Pause.intervalNanos(plan.load()) / 8) : Duration.ofMillis(1), true);
    }

    @Override
    public String toString() {
        long micros = duration.toNanos() / 1000;
        boolean isTruncated = duration.toNanos() % 1_000_000 != 0;
        return "poll(" + micros + " us)"
                + (isTruncated ? ", which Kafka truncates to " + duration.toMillis() + " ms" : "");
    }
}
