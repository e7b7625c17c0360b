package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RestartPolicy;
import dev.baton.RunningChain;
import dev.baton.kafka.write.KafkaWriter;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.ChainStatus;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that fails a writer with transactions for a reason of its own, as it does now and then in the middle of a takeover. */
class TakeoverTest extends OnBroker {
    /** So that nobody but the check of the failure finds the newer writer. */
    private static final Duration SELDOM = Duration.ofSeconds(60);

    private KafkaTransport transactional() {
        return transport(
                options -> options.with(KafkaOptions.TRANSACTIONS, true).with(KafkaOptions.RIVAL_INTERVAL, SELDOM));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failureBehindANewerWriterReportsReplacement(boolean isOfAFrame) {
        KafkaTransport old = transactional();
        String name = newTopic(old);
        Connection connection = connect(old);
        TopicProbe before = probe(name, connection);
        before.write("old");
        before.awaitStored();
        TopicProbe now = probe(name, connect(transactional()));
        now.write("new");
        now.awaitStored();

        KafkaWriter replaced = (KafkaWriter) before.writer();
        if (isOfAFrame) {
            replaced.onCompletion(null, new UnknownServerException("something of mine"));
        } else {
            replaced.notCommitted(
                    new KafkaException("in an error state", new InvalidTxnStateException("something of mine")));
        }

        assertThatThrownBy(() -> turns(connection).until("the end", () -> {
                    replaced.flush();
                    return false;
                }))
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll(name, "another writer", "the broker said: ");
        assertThat(replaced.storedSequence()).isEqualTo(1);
        now.write("newer");
        assertThat(now.read(3).texts()).containsExactly("old", "new", "newer");
    }

    @Test
    void newProcessKeepsAChainOfTwoServices() {
        Chain chain = Chain.named("takeover-" + TransportFixture.TOPICS.incrementAndGet())
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
        RunningChain older = standingBy(chain);
        RunningChain newer = standingBy(chain);
        turns().until("the older one's end", () -> older.status().phase() == ChainStatus.Phase.STANDING_BY);
        assertThat(older.restarts()).isZero();
        assertThat(newer.status().phase()).isEqualTo(ChainStatus.Phase.RUNNING);
    }

    private RunningChain standingBy(Chain chain) {
        Loops loops = closing(Loops.cooperative(1));
        return closing(chain.on(transport())
                .with(loops)
                .restart(RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofSeconds(5)))
                .standby(true)
                .onOutput(in -> {})
                .start());
    }

    @Test
    void failureWithoutNewerWriterIsReportedAsIs() {
        KafkaTransport transport = transactional();
        String name = newTopic(transport);
        Connection connection = transport.connect();
        TopicProbe topic = probe(name, connection);
        topic.write("a");
        topic.awaitStored();

        KafkaWriter failing = (KafkaWriter) topic.writer();
        failing.onCompletion(null, new UnknownServerException("something of mine"));

        turns(connection).until("the end of the writer", () -> failing.failure() != null);
        assertThat(failing.failure())
                .isExactlyInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "a frame after 1 was not stored", "something of mine", "open it again");
        failing.close();
        TopicProbe again = probe(name, connection);
        again.write("b");
        assertThat(again.read(2).texts()).containsExactly("a", "b");
        connection.close();
    }
}
