package dev.baton.operations.service;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.service.ServiceProcess.State;
import dev.baton.run.Loops.LoopStatus;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.status.ChainStatus;
import dev.baton.status.ChainStatus.BlockedPart;
import dev.baton.status.ChainStatus.ChainHealth;
import dev.baton.status.ChainStatus.HeldBack;
import dev.baton.status.PartStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The health of a service process. Immutable, thread-safe.
 *
 * @param service chain and services, as in the log
 * @param isHealthy whether it runs and all its loops respond, or it is a standby
 * @param backlog inputs stored and not yet consumed, of all parts; -1 where one is unknown
 * @param restarts after failures of the transport
 * @param lastError in one line; null for none
 * @param blocked the part that blocks a loop; null for none
 * @param blockedNanos least time for which it has blocked the loop; 0 for none
 * @param reason one sentence: why a chain is not healthy, or which consumer delays one of its topics; null for none
 * @param heldBack topics without room that are written here, each with its slowest consumer
 * @param parts of every instance, in order
 * @param loops that run them, with their load
 * @param storage disk space of the topics; null where it is unknown, or not on this host
 * @param counters of the server or driver that carries the topics, by name; empty where the transport has none
 * @param runs which part of which chain
 * @param host figures of the host and of this process's use
 * @param holds memory, descriptors and threads of this process
 */
public record Health(
        String service,
        State state,
        boolean isHealthy,
        long backlog,
        int restarts,
        String lastError,
        String blocked,
        long blockedNanos,
        String reason,
        List<HeldBack> heldBack,
        List<PartStatus> parts,
        List<LoopStatus> loops,
        StorageGrowth storage,
        Map<String, Long> counters,
        Part runs,
        HostFigures host,
        HeldFigures holds) {
    /** Writes the components of records under their names, without derived values; constants are in lower case. */
    public static final JsonMapper JSON = JsonMapper.builder()
            .visibility(PropertyAccessor.ALL, Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * The part of a chain that one process runs. Immutable, thread-safe.
     *
     * @param chain its name
     * @param services of the whole chain, in order
     * @param here those that this process runs
     * @param instances of the chain
     */
    public record Part(String chain, List<String> services, List<String> here, int instances) {}

    public Health {
        heldBack = List.copyOf(heldBack);
        parts = List.copyOf(parts);
        loops = List.copyOf(loops);
    }

    static Health of(
            ServicePlan plan,
            State state,
            List<ChainStatus> chains,
            List<LoopStatus> loops,
            int restarts,
            Throwable lastError,
            StorageGrowth storage,
            Map<String, Long> counters) {
        boolean isAnswering = chains.stream().allMatch(each -> each.health().isHealthy());
        long backlog = 0;
        for (ChainStatus chain : chains) {
            long own = chain.backlog();
            backlog = own == PartStatus.UNKNOWN || backlog == PartStatus.UNKNOWN ? PartStatus.UNKNOWN : backlog + own;
        }
        BlockedPart blocked = chains.stream()
                .flatMap(each -> each.blocked().stream())
                .max(Comparator.comparing(BlockedPart::duration))
                .orElse(null);
        return new Health(
                plan.toString(),
                state,
                state == State.STANDBY || state == State.RUNNING && isAnswering,
                backlog,
                restarts,
                lastError == null ? null : oneLine(lastError),
                blocked == null ? null : blocked.name(),
                blocked == null ? 0 : blocked.duration().toNanos(),
                reason(chains),
                chains.stream().flatMap(each -> each.heldBack().stream()).toList(),
                chains.stream().flatMap(each -> each.parts().stream()).toList(),
                loops,
                storage,
                counters,
                new Part(plan.chain().name(), plan.chain().services(), plan.only(), plan.instances()),
                HostFigures.now(),
                HeldFigures.now());
    }

    private static String reason(List<ChainStatus> chains) {
        return chains.stream()
                .map(ChainStatus::health)
                .sorted(Comparator.comparing(ChainHealth::isHealthy)) // those that are not come first
                .flatMap(each -> each.reason().stream())
                .map(CommandLines::oneLine)
                .findFirst()
                .orElse(null);
    }

    /** Returns the message in one line; it recommends an option of the command, not a call in code. */
    static String oneLine(Throwable failure) {
        if (failure instanceof TopicMismatchException mismatch && mismatch.remedy() != null) {
            return CommandLines.oneLine(mismatch.recommending(option(mismatch.remedy())));
        }
        return CommandLines.oneLine(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    private static String option(TopicMismatchException.Remedy remedy) {
        return switch (remedy) {
            case HANDLE_ALL -> "--replaced-input handle-all";
            case START_EMPTY -> "--start-empty";
            case OWN_TOPICS -> "--name NAME --input TOPIC";
        };
    }
}
