package dev.baton.tck.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.spi.Transport;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TransportTck;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.NamedFailures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract on groups, which are processes that share the partitions of one service: each partition runs in one of them at a time, and
 * every message is delivered once and in order of its key, whichever member joins, leaves or crashes. For transports that can share
 * partitions.
 */
@Timeout(TransportTck.LIMIT_SECONDS)
@ExtendWith(NamedFailures.class)
public abstract class GroupTck implements FixtureSource {
    private static final int PARTITIONS = 6;

    /** Messages that show that all partitions run: twice as many as there are keys. */
    private static final int SOME = 80;

    /** A limit above the start time of a JVM on a busy machine. */
    private static final Duration RESTART = Duration.ofSeconds(30);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private TransportFixture fixture;
    private Transport transport;
    private Chain chain;
    private KeyedLoad load;

    /** Called by the test of a transport. */
    protected GroupTck() {}

    @BeforeEach
    final void openTransport() {
        fixture = newFixture();
        transport = fixture.open();
        assumeTrue(transport.sharesPartitions(), "shares no partitions between processes");
        chain = GroupMember.chain(fixture.newTopic());
        load = closing(new KeyedLoad(chain, transport, PARTITIONS));
    }

    @AfterEach
    final void closeAll() throws Exception {
        try {
            while (!opened.isEmpty()) {
                opened.pop().close();
            }
            if (transport != null) {
                transport.close();
            }
        } finally {
            if (fixture != null) {
                fixture.close();
            }
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-loop")
                        || thread.getName().startsWith("baton-member"));
    }

    @Test
    void aLoneMemberHasAllPartitions() {
        load.start();
        GroupMember member = member("a");
        awaitAll(member);

        load.awaitMore(SOME, limit());
        assertThat(load.end(limit())).isEmpty();
        assertThat(member.changes())
                .hasSize(PARTITIONS)
                .allMatch(change -> change.kind() == PartitionChange.Kind.ASSIGNED);
    }

    @Test
    void joiningMemberGetsItsShareUnderLoad() {
        load.start();
        GroupMember first = member("a");
        awaitAll(first);
        load.awaitMore(SOME, limit());

        GroupMember second = member("b");
        awaitAll(first, second);
        until("an even share", () -> second.held().size() == PARTITIONS / 2);
        load.awaitMore(SOME, limit());

        assertThat(load.end(limit())).isEmpty();
        Set<Integer> moved = partitions(first.changes(), PartitionChange.Kind.REVOKED);
        assertThat(moved).isEqualTo(second.held()).doesNotContainAnyElementsOf(first.held());
        assertThat(first.changes()).as("no partition that stayed was touched").hasSize(PARTITIONS + PARTITIONS / 2);
    }

    @Test
    void leavingMemberReturnsItsPartitionsAtOnce() {
        load.start();
        GroupMember first = member("a");
        GroupMember second = member("b");
        awaitAll(first, second);
        until(
                "a share for each",
                () -> !first.held().isEmpty() && !second.held().isEmpty());
        load.awaitMore(SOME, limit());

        long start = System.nanoTime();
        second.close();
        awaitAll(first);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("no timeout is waited for")
                .isLessThan(fixture.sessionTimeout().plusSeconds(5));
        load.awaitMore(SOME, limit());

        assertThat(load.end(limit())).isEmpty();
        assertThat(second.changes()).noneMatch(change -> change.kind() == PartitionChange.Kind.CUT_OFF);
    }

    @Test
    void partitionsOfAKilledProcessMoveWithoutLoss() {
        load.start();
        GroupMember survivor = member("a");
        MemberProcess victim = process("b", fixture.sessionTimeout());
        until(
                "a share for each",
                () -> victim.held().size() == PARTITIONS / 2 && isComplete(List.of(survivor.held(), victim.held())));
        load.awaitMore(SOME, limit());

        victim.kill();
        awaitAll(survivor);
        load.awaitMore(SOME, limit());

        assertThat(load.end(limit())).isEmpty();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void stalledProcessLosesItsPartitionsAndIsFenced() {
        load.start();
        GroupMember survivor = member("a");
        MemberProcess stalled = process("b", fixture.sessionTimeout());
        until(
                "a share for each",
                () -> stalled.held().size() == PARTITIONS / 2 && isComplete(List.of(survivor.held(), stalled.held())));
        load.awaitMore(SOME, limit());

        stalled.pause();
        awaitAll(survivor);
        load.awaitMore(SOME, limit());
        stalled.resume();
        until("a share for each again", () -> survivor.held().size() == PARTITIONS / 2);
        load.awaitMore(SOME, limit());

        assertThat(load.end(limit())).isEmpty();
    }

    @Test
    void restartedProcessGetsItsPartitionsBack() {
        load.start();
        GroupMember other = member("a", RESTART);
        MemberProcess victim = process("b", RESTART);
        until(
                "a share for each",
                () -> victim.held().size() == PARTITIONS / 2 && isComplete(List.of(other.held(), victim.held())));
        Set<Integer> before = new TreeSet<>(List.copyOf(victim.held()));
        List<PartitionChange> changesBefore = other.changes();
        load.awaitMore(SOME, limit());

        victim.kill();
        MemberProcess again = process("b", RESTART);
        until("the same partitions", () -> again.held().equals(before));
        load.awaitMore(SOME, limit());

        assertThat(load.end(limit())).isEmpty();
        assertThat(other.changes()).as("no rebalance").isEqualTo(changesBefore);
    }

    @Test
    void memberClosedForARestartKeepsItsPartitions() {
        load.start();
        GroupMember other = member("a", RESTART);
        GroupMember restarted = member("b", RESTART);
        until("a share for each", () -> restarted.held().size() == PARTITIONS / 2);
        awaitAll(other, restarted);
        Set<Integer> before = restarted.held();
        List<PartitionChange> changesBefore = other.changes();

        restarted.closeForRestart();
        GroupMember again = member("b", RESTART);
        until("the same partitions", () -> again.held().equals(before));
        load.awaitMore(SOME, limit());

        assertThat(load.end(limit())).isEmpty();
        assertThat(other.changes()).as("no rebalance").isEqualTo(changesBefore);
    }

    @Test
    void changingMembersKeepTheOrderOfEachKey() {
        Random random = new Random(7);
        load.start();
        List<GroupMember> members = new ArrayList<>(List.of(member("m0")));
        for (int round = 1; round <= 6; round++) {
            if (members.size() == 1 || members.size() < 3 && random.nextBoolean()) {
                members.add(member("m" + round));
            } else {
                members.remove(random.nextInt(members.size())).close();
            }
            load.awaitMore(SOME, limit()); // during the rebalance
        }
        awaitAll(members.toArray(new GroupMember[0]));

        assertThat(load.end(limit())).isEmpty();
        assertThat(members).allMatch(member -> member.failures().isEmpty());
    }

    @Test
    void secondMemberOfANameReplacesTheFirst() {
        GroupMember first = member("a");
        awaitAll(first);

        GroupMember second = member("a");
        awaitAll(second);
        until("a failure", () -> !first.failures().isEmpty());

        assertThat(first.failures()).first().asString().contains("member 'a'", "another process of the same name");
        assertThat(first.held()).isEmpty();
        assertThat(partitions(first.changes(), PartitionChange.Kind.LOST)).hasSize(PARTITIONS);
    }

    private GroupMember member(String name) {
        return member(name, fixture.sessionTimeout());
    }

    private GroupMember member(String name, Duration session) {
        return closing(new GroupMember(chain, name, PARTITIONS, fixture.openAnother(), session));
    }

    private MemberProcess process(String name, Duration session) {
        return closing(
                new MemberProcess(transport.name(), chain.name(), name, PARTITIONS, session, fixture.openingOptions()));
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    private void awaitAll(GroupMember... members) {
        until(
                "every partition with one of the members",
                () -> isComplete(IntStream.range(0, members.length)
                        .mapToObj(i -> members[i].held())
                        .collect(Collectors.toList())));
    }

    private static boolean isComplete(List<Set<Integer>> held) {
        List<Integer> all = held.stream().flatMap(Set::stream).sorted().toList();
        return all.equals(IntStream.range(0, PARTITIONS).boxed().toList());
    }

    private static Set<Integer> partitions(List<PartitionChange> changes, PartitionChange.Kind kind) {
        return changes.stream()
                .filter(change -> change.kind() == kind)
                .map(PartitionChange::partition)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void until(String what, java.util.function.BooleanSupplier condition) {
        new Turns(limit())
                .until(what, "every partition runs in one of the members, and those that live share them", condition);
    }

    /** Returns a time limit for the session timeout of a member and the reassignment of its partitions. */
    private Duration limit() {
        return fixture.sessionTimeout().plusSeconds(30);
    }
}
