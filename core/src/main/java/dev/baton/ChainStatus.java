package dev.baton;

import dev.baton.run.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The status of a running chain, for monitoring. Immutable, thread-safe.
 *
 * @param chain name of the chain
 * @param instance number of this instance of the chain
 * @param partition partition that this is the status of; -1 for a chain without partitions, and for all of them together
 * @param phase phase of its life
 * @param failure what stopped the chain; empty if nothing did
 * @param restarts number of restarts so far of a chain that is opened again when it fails; of all partitions together
 * @param parts parts that run in this process, in chain order, without those of loops that did not answer
 * @param heldBack topics without room that this chain writes here, each with the consumer that holds it back; in chain
 *     order
 * @param isComplete whether every loop answered within {@link #PATIENCE}; a loop that did not is blocked by a callback, or has
 *     that much to do in one sweep
 * @param blocked the part that blocks a loop, if it belongs to this chain: one call of it has taken {@link #PATIENCE} or longer;
 *     if there are several, the one that has blocked for longest
 * @param blockedFor lower bound of the time that it has blocked; zero if there is none
 */
public record ChainStatus(
        String chain,
        int instance,
        int partition,
        Phase phase,
        Optional<Throwable> failure,
        int restarts,
        List<PartStatus> parts,
        List<HeldBack> heldBack,
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
     * @param instance its number
     * @param partition -1 for none
     * @param phase when it was asked
     * @param failure empty while nothing has stopped it
     * @param restarts so far
     * @param parts in chain order; the list is copied
     * @param heldBack one for each topic without room; the list is copied
     * @param isComplete false when {@code parts} lacks those of a loop that did not answer
     * @param blocked empty unless a loop did not answer
     * @param blockedFor zero when {@code blocked} is empty
     */
    public ChainStatus {
        parts = List.copyOf(parts);
        heldBack = List.copyOf(heldBack);
    }

    /**
     * {@return of the topics without room the one closest to the chain's end; empty if there is none} Topics before it have no room
     * because nothing moves on from there.
     */
    public Optional<HeldBack> holdingBack() {
        return heldBack.isEmpty() ? Optional.empty() : Optional.of(heldBack.get(heldBack.size() - 1));
    }

    /** {@return the chain's health at the time of this status, with the reason if it is not healthy} */
    public ChainHealth health() {
        return ChainHealth.of(this);
    }

    /**
     * A chain, or a partition of one, that is asked for its status.
     *
     * @param failure null for none
     * @param inletHeldBack what its inlet waits for; null for nothing
     */
    record Asked(
            String chain,
            int instance,
            int partition,
            Phase phase,
            Throwable failure,
            int restarts,
            HeldBack inletHeldBack,
            List<Section> sections) {
        Asked with(int restartsSoFar) {
            return new Asked(chain, instance, partition, phase, failure, restartsSoFar, inletHeldBack, sections);
        }

        Asked ofPartition(int number) {
            return new Asked(chain, instance, number, phase, failure, restarts, inletHeldBack, sections);
        }
    }

    static ChainStatus of(Asked asked, Environment environment) {
        return of(List.of(asked), environment).get(0);
    }

    /** Asks every section on its own loop, all at once. */
    static List<ChainStatus> of(List<Asked> asked, Environment environment) {
        long start = environment.nanoTime();
        List<List<CompletableFuture<List<PartStatus>>>> answers = new ArrayList<>();
        for (Asked each : asked) {
            List<CompletableFuture<List<PartStatus>>> ofChain = new ArrayList<>();
            for (Section section : each.sections()) {
                section.turnInProgress(start);
                ofChain.add(section.loop().ask(section::status));
            }
            answers.add(ofChain);
        }
        long deadline = start + PATIENCE.toNanos();
        List<ChainStatus> found = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            found.add(of(asked.get(i), List.copyOf(asked.get(i).sections()), answers.get(i), deadline, environment));
        }
        return found;
    }

    private static ChainStatus of(
            Asked asked,
            List<Section> sections,
            List<CompletableFuture<List<PartStatus>>> answers,
            long deadline,
            Environment environment) {
        List<PartStatus> parts = new ArrayList<>();
        List<HeldBack> heldBack = new ArrayList<>();
        if (asked.inletHeldBack() != null) {
            heldBack.add(asked.inletHeldBack());
        }
        Section.Turn longest = null;
        boolean isComplete = true;
        for (int i = 0; i < answers.size(); i++) {
            List<PartStatus> answer = await(answers.get(i), deadline - environment.nanoTime(), environment);
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
        parts.stream()
                .map(PartStatus::heldBack)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(heldBack::add);
        return new ChainStatus(
                asked.chain(),
                asked.instance(),
                asked.partition(),
                asked.phase(),
                Optional.ofNullable(asked.failure()),
                asked.restarts(),
                parts,
                heldBack,
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
