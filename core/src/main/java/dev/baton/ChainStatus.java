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
 * The status of a running chain, for monitoring. Immutable, thread-safe.
 *
 * @param chain name of the chain
 * @param phase phase of its life
 * @param failure what stopped the chain; empty if nothing did
 * @param parts parts that run in this process, in chain order, without those of loops that did not answer
 * @param isComplete whether every loop answered within {@link #PATIENCE}; a loop that did not is blocked by a callback, or has
 *     that much to do in one sweep
 * @param blocked the part that blocks a loop, if it belongs to this chain: one call of it has taken {@link #PATIENCE} or longer;
 *     if there are several, the one that has blocked for longest
 * @param blockedFor lower bound of the time that it has blocked; zero if there is none
 */
public record ChainStatus(
        String chain,
        Phase phase,
        Optional<Throwable> failure,
        List<PartStatus> parts,
        boolean isComplete,
        Optional<String> blocked,
        Duration blockedFor) {
    /** The time within which loops have to answer. It is much longer than a sweep, and much shorter than a monitor waits. */
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
            long now = environment.nanoTime();
            Section.Turn turn = sections.get(i).turnInProgress(now);
            boolean isOneCall = now - turn.sinceNanos() >= PATIENCE.toNanos();
            if (turn.part() != null && isOneCall && (longest == null || turn.sinceNanos() - longest.sinceNanos() < 0)) {
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
     * {@return the total number of inputs that the parts in this process have not consumed yet; {@link PartStatus#UNKNOWN} if
     * the number of one part is unknown}
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
