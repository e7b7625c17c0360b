package dev.baton.operations.service;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.spi.PartitionTopic;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The sharing of a service's partitions between processes: options of {@code baton service}. */
final class ShareOptions {
    private static final Duration SHORTEST_SESSION = Duration.ofMillis(500);
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(30);

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--partitions",
            paramLabel = "P",
            description = {
                "partitions of each topic (default: not partitioned)",
                "1 to 1024, fixed once the topics exist and the same in all processes of the chain, which share them; needs --group-member and a transport with partitions, such as kafka"
            })
    private BigDecimal partitions;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--group-member",
            paramLabel = "ID",
            description = {"name of this process in the group", "unique, and kept across restarts"})
    private String member;

    @Option(
            names = "--session-timeout",
            paramLabel = "TIME",
            defaultValue = "6s",
            description =
                    "time without a sign of life after which the partitions of a process are reassigned, 500ms to 30m; brokers allow 6s and more by default (default: ${DEFAULT-VALUE})")
    private Duration sessionTimeout;

    @Option(
            names = "--keep-partitions",
            description =
                    "keep the partitions of an orderly stopped process for its restart until the session timeout (default: they are reassigned at once)")
    private boolean keepsPartitions;

    /** Returns the sharing; null when nothing is shared. */
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
