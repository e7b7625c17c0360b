package dev.baton.operations.service;

import dev.baton.operations.line.Checks;
import dev.baton.spi.PartitionTopic;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The sharing of a service's partitions between processes: options of {@code baton service}. */
final class ShareOptions {
    private static final Duration SHORTEST_SESSION = Duration.ofMillis(500);
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(30);

    @Option(
            names = "--partitions",
            paramLabel = "P",
            description =
                    "split every topic into P partitions, 1 to 1024, the same in all processes of the chain for good,"
                            + " and share them with the other processes that run the same services; needs --group-member and a"
                            + " transport that can, as kafka (default: no partitions)")
    private BigDecimal partitions;

    @Option(
            names = "--group-member",
            paramLabel = "ID",
            description = "name of this process among those that share: no other one has it, and it keeps it when it is"
                    + " started again")
    private String member;

    @Option(
            names = "--session-timeout",
            paramLabel = "TIME",
            defaultValue = "6s",
            description =
                    "after such a silence the partitions of a process go to the others, 500ms to 30m; brokers allow 6s"
                            + " and more unless told otherwise (default: ${DEFAULT-VALUE})")
    private Duration sessionTimeout;

    @Option(
            names = "--keep-partitions",
            description = "after an orderly stop its partitions wait for its restart until the session timeout"
                    + " (default: they go to the others at once)")
    private boolean keepsPartitions;

    /** Null when nothing is shared. */
    ServicePlan.Sharing sharing() {
        if (partitions == null) {
            Checks.require(member == null, "--group-member needs --partitions, the number of partitions to share");
            Checks.require(!keepsPartitions, "--keep-partitions needs --partitions and --group-member");
            return null;
        }
        int count = Checks.integer("--partitions", partitions, 1, PartitionTopic.MOST_PARTITIONS);
        Checks.require(
                member != null, "--partitions needs --group-member: the name of this process among those that share");
        Checks.name("--group-member", member);
        Checks.time("--session-timeout", sessionTimeout, SHORTEST_SESSION, LONGEST_SESSION);
        return new ServicePlan.Sharing(count, member, sessionTimeout, keepsPartitions);
    }
}
