package dev.baton.engine;

import dev.baton.run.Environment;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.BlockedPart;
import dev.baton.status.ChainStatus.ChainId;
import dev.baton.status.ChainStatus.HeldBack;
import dev.baton.status.ChainStatus.Phase;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.OutputStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A query for the status of a chain, or of a partition of one, to the loops that run its sections. Immutable; its sections
 * respond on their own loops.
 *
 * @param failure failure of the chain; null for none
 * @param inletHeldBack the consumer that the inlet waits for; null for none
 */
record StatusQuery(
        ChainId chain, Phase phase, Throwable failure, int restarts, HeldBack inletHeldBack, List<Section> sections) {
    public StatusQuery {
        sections = List.copyOf(sections); // a close clears the list of its chain
    }

    StatusQuery with(int restartsSoFar) {
        return new StatusQuery(chain, phase, failure, restartsSoFar, inletHeldBack, sections);
    }

    StatusQuery ofPartition(int number) {
        ChainId partition = new ChainId(chain.name(), chain.instance(), number);
        return new StatusQuery(partition, phase, failure, restarts, inletHeldBack, sections);
    }

    /** Queries the loops of one chain. */
    static ChainStatus of(StatusQuery asked, Environment environment) {
        return of(List.of(asked), environment).get(0);
    }

    /** Queries all sections concurrently, each on its own loop. */
    static List<ChainStatus> of(List<StatusQuery> asked, Environment environment) {
        long start = environment.nanoTime();
        List<List<CompletableFuture<List<PartStatus>>>> answers = new ArrayList<>();
        for (StatusQuery each : asked) {
            List<CompletableFuture<List<PartStatus>>> ofChain = new ArrayList<>();
            for (Section section : each.sections()) {
                section.turnInProgress(start);
                ofChain.add(section.loop().ask(section::status));
            }
            answers.add(ofChain);
        }
        long deadline = start + ChainStatus.PATIENCE.toNanos();
        List<ChainStatus> found = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            found.add(of(asked.get(i), answers.get(i), deadline, environment));
        }
        return found;
    }

    private static ChainStatus of(
            StatusQuery asked,
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
            Section.Turn turn = asked.sections().get(i).turnInProgress(now);
            boolean isOneCall = now - turn.sinceNanos() >= ChainStatus.PATIENCE.toNanos();
            if (turn.part() != null && isOneCall && (longest == null || turn.sinceNanos() - longest.sinceNanos() < 0)) {
                longest = turn;
            }
        }
        parts.stream()
                .map(PartStatus::output)
                .filter(Objects::nonNull)
                .map(OutputStatus::heldBack)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(heldBack::add);
        return new ChainStatus(
                asked.chain(),
                asked.phase(),
                Optional.ofNullable(asked.failure()),
                asked.restarts(),
                parts,
                heldBack,
                isComplete,
                longest == null
                        ? Optional.empty()
                        : Optional.of(new BlockedPart(
                                longest.part(), Duration.ofNanos(environment.nanoTime() - longest.sinceNanos()))));
    }

    /** Waits for the response, also on an interrupted thread, which remains interrupted; returns null if there is none in time. */
    private static List<PartStatus> await(
            CompletableFuture<List<PartStatus>> answer, long limitNanos, Environment environment) {
        long deadline = environment.nanoTime() + limitNanos;
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return environment.await(answer, deadline - environment.nanoTime());
                } catch (InterruptedException interrupted) {
                    isInterrupted = true;
                }
            }
        } catch (TimeoutException | ExecutionException noAnswer) {
            return null;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
