package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.examples.orders.Order;
import dev.baton.examples.orders.OrderPipeline;
import dev.baton.examples.orders.OrdersProvider;
import dev.baton.kafka.KafkaProvider;
import dev.baton.kafka.embedded.EmbeddedKafka;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred thousand orders that a broker has kept are replayed. */
@Tag("long")
@Timeout(300)
class KafkaReplayTest {
    private static final int ORDERS = 100_000;
    private static final int FEW_ORDERS = 1_000;
    private static final int ORDER_BYTES = 48;

    @Test
    void replayOverKafkaConfirmsAndNamesChange() {
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                Transport transport = new KafkaProvider().open(Map.of("bootstrap-servers", kafka.bootstrapServers()))) {
            Chain chain = OrderPipeline.chain(ErrorPolicy.skipTo((service, in, attempts, cause) -> {}));
            new Recording(transport, Duration.ofMillis(36))
                    .of(chain, new OrdersProvider().open(Map.of()).generator(1, 0), ORDER_BYTES, ORDERS);

            ReplayComparison.Part same = replay(transport, chain);
            assertThat(same.difference()).isNull();
            assertThat(same.inputs()).isGreaterThan(ORDERS * 9L / 10);
            Chain changed = chain.decorated((name, real) -> !name.equals("price")
                    ? real
                    : (in, out) -> {
                        if (in.sequence() == 70_000) {
                            out.claim(ORDER_BYTES).putPayload(in).commit(ORDER_BYTES);
                        } else {
                            real.onMessage(in, out);
                        }
                    });
            assertThat(replay(transport, changed).difference().cause()).isEqualTo(70_000);
        }
    }

    @Test
    void newOutputsLeaveNothingOnBroker() {
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                Transport transport = new KafkaProvider().open(Map.of("bootstrap-servers", kafka.bootstrapServers()))) {
            Chain chain = OrderPipeline.chain(ErrorPolicy.skipTo((service, in, attempts, cause) -> {}));
            new Recording(transport, Duration.ofMillis(36))
                    .of(chain, new OrdersProvider().open(Map.of()).generator(1, 0), ORDER_BYTES, FEW_ORDERS);
            Map<String, Object> before = TopicsFound.in(transport);

            ReplayComparison same = Replay.of(chain).feed(Replay.Feed.NEW).compareWith(transport, Order.Wire.INSTANCE);
            assertThat(same.isSame()).as(same.toString()).isTrue();
            assertThat(same.of("book").same()).isGreaterThan(FEW_ORDERS * 8L / 10);
            assertThat(before).hasSizeGreaterThan(5);
            assertThat(TopicsFound.in(transport)).isEqualTo(before);
        }
    }

    private static ReplayComparison.Part replay(Transport transport, Chain chain) {
        return Replay.of(chain).only("price").firstOnly().compareWith(transport).of("price");
    }
}
