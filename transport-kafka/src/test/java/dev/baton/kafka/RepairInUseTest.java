package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Connection;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairReport.Outcome;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.TopicProbe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A topic that somebody works on is not repaired, as far as that can be told. */
class RepairInUseTest extends OnBroker {
    private static final int FRAMES = 100;
    private static final Duration BETWEEN = Duration.ofMillis(100);

    private String name;
    private TopicProbe other;
    private Connection connectionOfOther;

    @BeforeEach
    void damageATopicThatAnotherProcessHasOpen() throws Exception {
        KafkaTransport transport = transport();
        name = newTopic(transport);
        connectionOfOther = connect(transport);
        other = probe(name, connectionOfOther);
        for (int i = 0; i < FRAMES; i++) {
            other.write("frame " + i);
        }
        other.awaitStored();
        DamagedTopic.interleave(name, 2);
    }

    @Test
    void aLiveWriterOfThisProcessIsNamed() {
        KafkaTransport transport = transport();
        Connection connection = connect(transport);
        String sound = newTopic(transport);
        probe(sound, connection).write("a");
        assertThatThrownBy(() -> transport.repair(sound, false))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("live writer in this process");
        assertThat(transport.repair(sound, true).outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
    }

    @Test
    void aLiveReaderOfThisProcessIsNamed() {
        KafkaTransport transport = transport();
        probe(name, connect(transport)).reader();
        assertThatThrownBy(() -> transport.repair(name, false))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(name, "consumer 'tck' has a live reader");
    }

    @Test
    void aWriterThatWritesMeanwhileIsNoticed() throws Exception {
        CompletableFuture<RepairReport> repair = beginRepair();
        for (int i = 0; !repair.isDone(); i++) {
            other.write("more " + i);
            turns(connectionOfOther).settle(BETWEEN);
        }
        assertThatThrownBy(() -> repair.get(10, TimeUnit.SECONDS))
                .hasMessageContainingAll(
                        "topic '" + name + "' is in use: its end moved from offset", "Nothing was written");
        other.write("last");
        other.awaitStored();
    }

    @Test
    void aReaderThatReadsMeanwhileIsNoticed() {
        CompletableFuture<RepairReport> repair = beginRepair();
        for (int i = 0; i < FRAMES && !repair.isDone(); i++) {
            other.take(1);
            turns(connectionOfOther).settle(BETWEEN);
        }
        assertThatThrownBy(() -> repair.get(10, TimeUnit.SECONDS))
                .hasMessageContainingAll(
                        "topic '" + name + "' is in use: consumer 'tck' read on", "Nothing was written");
    }

    @Test
    void aWriterThatIdledIsReplacedAndTold() {
        assertThat(transport().repair(name, false).outcome()).isEqualTo(Outcome.DROPPED);
        other.write("late");
        assertThatThrownBy(other::awaitStored)
                .isInstanceOf(ReplacedException.class)
                .hasMessageContainingAll(name, "repair");
    }

    private CompletableFuture<RepairReport> beginRepair() {
        KafkaTransport transport = transport();
        return CompletableFuture.supplyAsync(() -> transport.repair(name, false));
    }
}
