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
 */
public record ChainStatus(
        String chain, Phase phase, Optional<Throwable> failure, List<PartStatus> parts, boolean isComplete) {
    /** How long loops have to answer: far longer than a sweep, far shorter than a monitor waits. */
    public static final Duration PATIENCE = Duration.ofSeconds(1);

    /** What a chain is about. */
    public enum Phase {
        RUNNING,
        /** Takes no more and passes on what is in hand. */
        CLOSING,
        /** Has released everything. */
        CLOSED,
        /** Has stopped and waits to be closed. */
        FAILED
    }

    public ChainStatus {
        parts = List.copyOf(parts);
    }

    /** Asks every section on its own loop, all at once. */
    static ChainStatus of(
            String chain, Phase phase, Throwable failure, List<PlacedSection> sections, Environment environment) {
        List<CompletableFuture<List<PartStatus>>> asked = sections.stream()
                .map(each -> each.loop().ask(each.section()::status))
                .toList();
        long deadline = environment.nanoTime() + PATIENCE.toNanos();
        List<PartStatus> parts = new ArrayList<>();
        boolean isComplete = true;
        for (CompletableFuture<List<PartStatus>> each : asked) {
            try {
                parts.addAll(environment.await(each, deadline - environment.nanoTime()));
            } catch (TimeoutException | ExecutionException noAnswer) {
                isComplete = false;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                isComplete = false;
            }
        }
        return new ChainStatus(chain, phase, Optional.ofNullable(failure), parts, isComplete);
    }

    /** Inputs that all parts here have not yet consumed; {@link PartStatus#UNKNOWN} where one of them is unknown. */
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
