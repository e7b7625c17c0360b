package dev.baton.lab.study.chaos;

import dev.baton.lab.study.chaos.audit.WindowResults;
import dev.baton.operations.chains.NamedChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The plan of the faults of one set-up. Immutable, thread-safe.
 *
 * @param options of the transport, as given on the command line
 * @param services of the chain, at least 2
 * @param rate messages per second
 * @param seed of the schedule and the payloads
 * @param mostDuration no fault begins later
 * @param mostRecovery longest allowed time from a fault, or the begin, to the next output
 * @param chain whose services and messages these are; null: services that forward, one of which sums
 * @param payloadBytes of a message, at most
 * @param state kind of the service with a state
 * @param asks whether the sender sends requests, and checks their replies
 */
public record ChaosPlan(
        SetUp setUp,
        Map<String, String> options,
        int services,
        int rate,
        long seed,
        List<InjectedFault.Kind> kinds,
        FaultSchedule.Times times,
        int faults,
        Duration mostDuration,
        Duration mostRecovery,
        NamedChain chain,
        int payloadBytes,
        StateKind state,
        boolean isComposed,
        boolean asks) {
    /** Faults of one life of the chain, after which everything is audited, removed and begun anew. */
    public static final int FAULTS_PER_LIFE = 25;

    static final Duration LIFE_LIMIT = Duration.ofMinutes(3); // no fault begins later in a life

    /** The usual limit of a recovery. */
    public static final Duration RECOVERY_LIMIT = Duration.ofSeconds(120);

    private static final long USUAL_FAULT_SECONDS = 12;
    private static final long FILES_BYTES = 64L << 20;

    /** Bytes of a message in one topic without its payload: the frame, and the library's own bytes; rounded up. */
    private static final int CHRONICLE_BYTES = 96;

    private static final int KAFKA_BYTES = 176;

    /** Kinds of the service with a state. */
    public enum StateKind {
        /** It sums, and holds its inputs. */
        NONE,
        /** It sums, and saves the unfinished sum in snapshots. */
        SUMS,
        /** It is a sliding window, and saves its counts in snapshots. */
        WINDOW
    }

    public ChaosPlan {
        kinds = List.copyOf(kinds);
        options = Map.copyOf(options);
    }

    public ChaosPlan without(InjectedFault.Kind kind) {
        List<InjectedFault.Kind> others =
                kinds.stream().filter(each -> each != kind).toList();
        return new ChaosPlan(
                setUp,
                options,
                services,
                rate,
                seed,
                others,
                times,
                faults,
                mostDuration,
                mostRecovery,
                chain,
                payloadBytes,
                state,
                isComposed,
                asks);
    }

    /** {@return the processes in addition to the chain's services and ends} */
    List<String> further() {
        return isComposed ? Composition.PROCESSES : List.of();
    }

    /**
     * {@return all processes except brokers, in the order of the messages; those in addition to the chain before the receiver and the
     * sender}
     */
    List<String> processes() {
        List<String> all = new ArrayList<>();
        IntStream.rangeClosed(1, services).forEach(number -> all.add(FaultSchedule.service(number)));
        all.addAll(further());
        all.addAll(List.of(FaultSchedule.RECEIVER, FaultSchedule.SENDER));
        return all;
    }

    /** The host of a process, where there are some: neighbours are on different ones. */
    int hostOf(String process) {
        return processes().indexOf(process) % setUp.brokers;
    }

    /** {@return the number of the service that fails at some messages; 0 for none, as where dead letters cannot be read} */
    int failing() {
        return chain != null || setUp.isVolatile() ? 0 : FaultSchedule.failing(services);
    }

    boolean hasWindow() {
        return state == StateKind.WINDOW;
    }

    /** The most that one life of the chain is expected to write to the disk. */
    public long diskBytes() {
        long seconds = Math.min(LIFE_LIMIT.toSeconds(), USUAL_FAULT_SECONDS * Math.min(faults, FAULTS_PER_LIFE))
                + mostRecovery.toSeconds();
        long perTopic = setUp.brokers == 0
                ? CHRONICLE_BYTES + payloadBytes
                : (long) (KAFKA_BYTES + payloadBytes) * setUp.brokers;
        int topics = services + 1 + (isComposed ? Composition.TOPICS : 0);
        // those of sums take next to nothing
        long snapshots = hasWindow() ? TimeUnit.SECONDS.toMillis(seconds) / ChainProcesses.SNAPSHOT_MILLIS : 0;
        long perBroker = snapshots * WindowResults.SNAPSHOT_BYTES + FILES_BYTES;
        return rate * seconds * perTopic * topics + perBroker * Math.max(1, setUp.brokers);
    }
}
