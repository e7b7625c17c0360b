package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.PartitionGroup;
import dev.baton.spi.PartitionGroup.GroupMembership;
import dev.baton.spi.PartitionGroup.PartitionListener;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Members whose listeners throw errors. */
class MemberErrorTest extends OnBroker {
    @Test
    void errorOfListenerEndsTheMembershipLoudly() {
        KafkaTransport transport = transport();
        String topic = newTopic(transport);
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        PartitionListener listener = new PartitionListener() {
            @Override
            public void assigned(Set<Integer> partitions) {
                throw new NoClassDefFoundError("a class of the service");
            }

            @Override
            public void revoked(Set<Integer> partitions) {
                events.add("revoked " + partitions);
            }

            @Override
            public void lost(Set<Integer> partitions) {
                events.add("lost " + partitions);
            }

            @Override
            public void failed(TransportException cause) {
                events.add("failed");
            }
        };
        GroupMembership membership = transport.join(
                new PartitionGroup(topic + "@work", topic, 1, "a", TestBroker.SESSION_TIMEOUT, Duration.ofSeconds(5)),
                listener);
        try {
            new Turns(LONGEST_WAIT).until("a failure", () -> events.contains("failed"));
        } finally {
            membership.close(true, LONGEST_WAIT);
        }
        assertThat(events).containsExactly("lost [0]", "failed");
    }
}
