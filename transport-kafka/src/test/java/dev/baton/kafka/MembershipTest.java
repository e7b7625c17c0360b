package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionGroup.GroupMembership;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.errors.MembershipException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.junit.jupiter.api.Test;

/** What brokers may do to a member, beyond what every transport that shares partitions owes. */
class MembershipTest extends OnBroker {
    private static final int PARTITIONS = 2;

    private final String name = "member-" + TransportFixture.TOPICS.incrementAndGet();
    private final Chain chain =
            Chain.named(name).then("work", () -> (in, out) -> out.forward(in)).build();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final List<PartitionChange.Kind> changes = Collections.synchronizedList(new ArrayList<>());

    @Test
    void forbiddenSessionTimeoutIsReportedWithBrokerSetting() {
        start(Duration.ofMillis(600));

        await("a failure", () -> !failures.isEmpty());
        assertThat(failures)
                .first()
                .isInstanceOf(MembershipException.class)
                .asString()
                .contains("member 'a'", "a session timeout of 600 ms", "group.min.session.timeout.ms");
    }

    @Test
    void expelledMemberLosesPartitionsAndTakesThemAgain() throws Exception {
        RunningChain running = start(TestBroker.SESSION_TIMEOUT);
        await("all partitions", () -> running.held().size() == PARTITIONS);

        try (Admin admin = Admin.create(
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) TestBroker.bootstrapServers()))) {
            admin.removeMembersFromConsumerGroup(
                            "baton." + name + "-0@work",
                            new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove("a"))))
                    .all()
                    .get();
        }

        await("all partitions again", () -> changes.size() == 3 * PARTITIONS);
        assertThat(changes)
                .containsExactly(
                        PartitionChange.Kind.ASSIGNED,
                        PartitionChange.Kind.ASSIGNED,
                        PartitionChange.Kind.LOST,
                        PartitionChange.Kind.LOST,
                        PartitionChange.Kind.ASSIGNED,
                        PartitionChange.Kind.ASSIGNED);
        assertThat(failures).isEmpty();
        assertThat(running.status().parts()).hasSize(PARTITIONS);
    }

    @Test
    void closeRefusedByListenerChangesNothing() {
        CompletableFuture<RunningChain> started = new CompletableFuture<>();
        List<Throwable> refusals = Collections.synchronizedList(new ArrayList<>());
        RunningChain running = closing(chain.on(transport())
                .with(closing(Loops.cooperative(1)))
                .only("work")
                .onFailure(failures::add)
                .partitions(PARTITIONS)
                .member("a")
                .onPartition(change -> {
                    if (change.kind() == PartitionChange.Kind.ASSIGNED) {
                        try {
                            started.join().close(Duration.ZERO);
                        } catch (IllegalStateException refused) {
                            refusals.add(refused);
                        }
                    }
                })
                .start());
        started.complete(running);
        await("refusals", () -> refusals.size() == PARTITIONS);
        assertThat(running.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
        assertThat(failures).isEmpty();
    }

    @Test
    void interruptedThreadsWaitForReleasedPartitions() {
        RunningChain running = start(TestBroker.SESSION_TIMEOUT);
        await("all partitions", () -> running.held().size() == PARTITIONS);

        Thread.currentThread().interrupt();
        boolean wasDrained;
        try {
            wasDrained = running.close(LONGEST_WAIT);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(running.held()).isEmpty();
        assertThat(wasDrained).isTrue();
    }

    @Test
    void aReaderThatIsAbandonedStoresNoPosition() {
        KafkaTransport transport =
                transport(options -> options.with(KafkaOptions.COMMIT_INTERVAL, Duration.ofHours(1)));
        String topic = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe probe = probe(topic, connection);
            probe.write("a", "b");
            probe.take(1);
            probe.reader().abandon();
            probe.reader().abandon(); // again does nothing
        }
        Connection connection = connect(transport);
        TopicProbe again = probe(topic, connection);
        assertThat(again.reader().found().acknowledged()).isZero();
        assertThat(again.read(2).texts()).containsExactly("a", "b");
    }

    @Test
    void deletedTopicEndsTheMembership() throws Exception {
        KafkaTransport transport = transport();
        String topic = newTopic(transport);
        List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        PartitionListener listener = new PartitionListener() {
            @Override
            public void assigned(Set<Integer> partitions) {
                events.add("assigned");
            }

            @Override
            public void revoked(Set<Integer> partitions) {
                events.add("revoked");
            }

            @Override
            public void lost(Set<Integer> partitions) {
                events.add("lost");
            }

            @Override
            public void failed(TransportException cause) {
                told.add(cause);
            }
        };
        GroupMembership membership = transport.join(
                new PartitionGroup(topic + "@work", topic, 1, "a", TestBroker.SESSION_TIMEOUT, Duration.ofSeconds(5)),
                listener);
        try (Admin admin = Admin.create(
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) TestBroker.bootstrapServers()))) {
            await("the partition", () -> events.contains("assigned"));
            membershipIsChecked(topic, transport);
            admin.deleteTopics(List.of(topic)).all().get();
            await("a failure", () -> !told.isEmpty());
            assertThat(told.get(0)).hasMessageContainingAll("topic '" + topic + "'", "was deleted");
            assertThat(events.get(events.size() - 1)).as("%s", events).isNotEqualTo("assigned");
        } finally {
            assertThat(membership.close(true, LONGEST_WAIT)).isTrue();
        }
    }

    /** A writer that is opened behind the member is confirmed by a check that asks for the member's topic as well. */
    private static void membershipIsChecked(String topic, KafkaTransport transport) {
        try (Connection connection = transport.connect()) {
            TopicProbe probe = probe(topic, connection);
            probe.write("a");
            probe.awaitStored();
        }
    }

    private RunningChain start(Duration sessionTimeout) {
        Loops loops = closing(Loops.cooperative(1));
        return closing(chain.on(transport())
                .with(loops)
                .only("work")
                .onFailure(failures::add)
                .partitions(PARTITIONS)
                .member("a")
                .sessionTimeout(sessionTimeout)
                .onPartition(change -> changes.add(change.kind()))
                .start());
    }

    private static void await(String what, java.util.function.BooleanSupplier condition) {
        new Turns(LONGEST_WAIT).until(what, condition);
    }
}
