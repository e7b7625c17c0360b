package dev.baton.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.ConfigurationException;
import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.sbe.orders.OrderDecoder;
import dev.baton.test.ServiceTester;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages that come back as they were, and payloads with altered bytes: read within the payload or refused with {@link
 * IllegalArgumentException}. How many, and from which seed: {@code -Dbaton.fuzz.inputs=1000000 -Dbaton.fuzz.seed=1}.
 */
@Tag("fuzz")
class SbeFuzzTest {
    private static final long INPUTS = Long.getLong("baton.fuzz.inputs", 5_000);
    private static final long SEED = Long.getLong("baton.fuzz.seed", 1);

    /** Reads every field of each order, by the decoders of both versions. */
    private static final class Reading implements Service {
        private final Decoder<OrderDecoder> orders = SbeTest.ORDER.decoder();
        private final Decoder<dev.baton.sbe.first.OrderDecoder> firstOrders = SbeTest.FIRST_ORDER.decoder();
        private byte[] payload;
        private String text; // null when it was refused
        private Throwable thrown;

        @Override
        public void onMessage(Message in, Outlet out) {
            payload = new byte[in.length()];
            in.getBytes(0, payload, 0, payload.length);
            thrown = null;
            try {
                firstOrders.decode(in).appendTo(new StringBuilder());
            } catch (IllegalArgumentException | ConfigurationException | IndexOutOfBoundsException documented) {
                text = null;
            } catch (Throwable other) {
                thrown = other;
            }
            text = null;
            OrderDecoder order;
            try {
                order = orders.decode(in);
            } catch (IllegalArgumentException | ConfigurationException refused) {
                assertThat(refused).hasMessageStartingWith("message ");
                return;
            } catch (Throwable other) {
                thrown = other;
                return;
            }
            try {
                text = order.appendTo(new StringBuilder()).toString();
            } catch (IndexOutOfBoundsException shortBlock) { // of an earlier version, whose blocks may have any length
                assertThat(order.actingVersion()).isZero();
            } catch (Throwable other) {
                thrown = other;
            }
        }
    }

    @Test
    void alteredBytesAreRefusedOrReadWithinPayload() {
        Random random = new Random(SEED);
        Reading reading = new Reading();
        try (ServiceTester tester = ServiceTester.of(() -> reading).start()) {
            int refused = 0;
            for (long input = 0; input < INPUTS; input++) {
                long[] cents = random.longs(random.nextInt(4)).toArray();
                long id = random.nextLong();
                SbeTest.send(tester, id, "symbol".substring(random.nextInt(6)), cents);
                assertThat(reading.thrown).isNull();
                assertThat(reading.text).contains(":id=" + id + "|");
                for (long each : cents) {
                    assertThat(reading.text).contains("(cents=" + each + "|");
                }
                byte[] altered = alter(reading.payload, random);
                tester.send(altered, SbeTest.ORDER.type());
                assertThat(reading.thrown).as("seed %d, input %d", SEED, input).isNull();
                refused += reading.text == null ? 1 : 0;
            }
            assertThat(refused).isBetween((int) INPUTS / 10, (int) INPUTS - 1);
        }
    }

    private static byte[] alter(byte[] message, Random random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(message.length + 1) : message.length;
        byte[] altered = Arrays.copyOf(message, length);
        for (int i = random.nextInt(4); i > 0 && length > 0; i--) {
            altered[random.nextInt(length)] = (byte) (random.nextBoolean() ? random.nextInt(4) : random.nextInt());
        }
        return altered;
    }
}
