package dev.baton;

import dev.baton.run.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * How a running chain is: what a monitor asks. Immutable, thread-safe.
 *
 * @param chain its name
 * @param phase what it is about
 * @param failure what stopped it, if anything did
 * @param parts those that run here, in chain order; without those of loops that did not answer
 * @param isComplete whether every loop answered within {@link #PATIENCE}: one that did not is held up by a callback
 * @param blocked the part that holds a loop up, if it is one of this chain; of several the one that does so longest
 * @param blockedFor how long it has been seen to do so, at least; zero when there is none
 */
public record ChainStatus(
        String chain,
        Phase phase,
        Optional<Throwable> failure,
        List<PartStatus> parts,
        boolean isComplete,
        Optional<String> blocked,
        Duration blockedFor) {
    /** How long loops have to answer: far longer than a sweep, far shorter than a monitor waits. */
    public static final Duration PATIENCE = Duration.ofSeconds(1);

    /** What a chain is about. */
    public enum Phase {
        /** Takes messages and passes them on. */
        RUNNING,
        /** Takes no more and passes on what is in hand. */
        CLOSING,
        /** Has released everything. */
        CLOSED,
        /** Has stopped and waits to be closed. */
        FAILED,
        /** A run has failed, and the next one follows: {@link Deployment#restart}. */
        RESTARTING
    }

    /**
     * Takes what was found out; none of it is null.
     *
     * @param chain its name
     * @param phase when it was asked
     * @param failure empty while nothing has stopped it
     * @param parts in chain order; the list is copied
     * @param isComplete false when {@code parts} lacks those of a loop that did not answer
     * @param blocked empty unless a loop did not answer
     * @param blockedFor zero when {@code blocked} is empty
     */
    public ChainStatus {
        parts = List.copyOf(parts);
    }

    /** Asks every section on its own loop, all at once. */
    static ChainStatus of(
            String chain, Phase phase, Throwable failure, List<Section> sections, Environment environment) {
        long start = environment.nanoTime();
        List<CompletableFuture<List<PartStatus>>> asked = new ArrayList<>();
        for (Section each : sections) {
            each.turnInProgress(start);
            asked.add(each.loop().ask(each::status));
        }
        long deadline = start + PATIENCE.toNanos();
        List<PartStatus> parts = new ArrayList<>();
        Section.Turn longest = null;
        boolean isComplete = true;
        for (int i = 0; i < asked.size(); i++) {
            List<PartStatus> answer = await(asked.get(i), deadline - environment.nanoTime(), environment);
            if (answer != null) {
                parts.addAll(answer);
                continue;
            }
            isComplete = false;
            Section.Turn turn = sections.get(i).turnInProgress(environment.nanoTime());
            if (turn.part() != null && (longest == null || turn.sinceNanos() - longest.sinceNanos() < 0)) {
                longest = turn;
            }
        }
        return new ChainStatus(
                chain,
                phase,
                Optional.ofNullable(failure),
                parts,
                isComplete,
                Optional.ofNullable(longest).map(Section.Turn::part),
                longest == null ? Duration.ZERO : Duration.ofNanos(environment.nanoTime() - longest.sinceNanos()));
    }

    /** The answer, or null when there is none in time. */
    private static List<PartStatus> await(
            CompletableFuture<List<PartStatus>> answer, long limitNanos, Environment environment) {
        try {
            return environment.await(answer, limitNanos);
        } catch (TimeoutException | ExecutionException noAnswer) {
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /**
     * {@return the number of inputs that the parts here have not yet consumed, all together; {@link PartStatus#UNKNOWN} where
     * one of them is unknown}
     */
    public long backlog() {
        long sum = 0;
        for (PartStatus part : parts) {
            if (part.input() != null) {
                if (part.backlog() == PartStatus.UNKNOWN) {
                    return PartStatus.UNKNOWN;
                }
                sum += part.backlog();
            }
        }
        return sum;
    }
}
