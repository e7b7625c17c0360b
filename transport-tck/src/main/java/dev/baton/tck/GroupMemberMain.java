package dev.baton.tck;

import dev.baton.partitions.PartitionChange;
import dev.baton.spi.TransportProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * A member of a group in a process of its own, to be killed. Arguments: transport, chain, member, partitions, session timeout
 * in milliseconds, options as {@code key=value}. Prints each change of a partition, ends when its standard input does.
 */
public final class GroupMemberMain {
    private static final int FIRST_OPTION = 5;

    private GroupMemberMain() {}

    /** Runs the member. */
    public static void main(String[] args) throws IOException {
        TransportProvider provider = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals(args[0]))
                .findFirst()
                .orElseThrow();
        Map<String, String> options = Arrays.stream(args)
                .skip(FIRST_OPTION)
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        GroupMember member = new GroupMember(
                GroupMember.chain(args[1]),
                args[2],
                Integer.parseInt(args[3]),
                provider.open(options),
                Duration.ofMillis(Long.parseLong(args[4])),
                GroupMemberMain::tell);
        while (System.in.read() >= 0) {
            // nothing is ever said here, only the end matters
        }
        member.close();
    }

    private static void tell(PartitionChange change) {
        System.out.println(change.kind() + " " + change.partition());
        System.out.flush();
    }
}
