package dev.baton.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.Decoder;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.test.ServiceTester;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Values that come back as they were, and payloads with altered bytes: a value or an {@link IllegalArgumentException}, nothing else.
 * How many, and from which seed: {@code -Dbaton.fuzz.inputs=1000000 -Dbaton.fuzz.seed=1}.
 */
@Tag("fuzz")
class JacksonFuzzTest {
    private static final long INPUTS = Long.getLong("baton.fuzz.inputs", 1_000);
    private static final long SEED = Long.getLong("baton.fuzz.seed", 1);
    private static final String BYTES = "{}[]\",:\\0123456789.eE+-truefalsn \u0000\u00ff";

    record Value(long id, String text, BigDecimal price, List<Map<String, Value>> parts, boolean[] flags, Side side) {
        static final JacksonCodec<Value> CODEC = JacksonCodec.of(1, Value.class).limits(4_096, 16);
    }

    enum Side {
        BUY,
        SELL
    }

    /** Decodes each payload as a record and as a tree, and keeps what comes out. */
    private static final class Reading implements Service {
        private final Decoder<Value> values = Value.CODEC.decoder();
        private final Decoder<JsonNode> trees =
                JacksonCodec.of(1, JsonNode.class).limits(4_096, 16).decoder();
        private Optional<Value> value = Optional.empty();
        private byte[] payload;
        private Throwable thrown;

        @Override
        public void onMessage(Message in, Outlet out) {
            payload = new byte[in.length()];
            in.getBytes(0, payload, 0, payload.length);
            value = Optional.ofNullable(read(values, in));
            Throwable first = thrown;
            read(trees, in);
            thrown = first == null ? thrown : first;
        }

        private <T> T read(Decoder<T> decoder, Message in) {
            thrown = null;
            try {
                return decoder.decode(in);
            } catch (IllegalArgumentException documented) {
                assertThat(documented).hasMessageStartingWith("message ");
            } catch (Throwable other) {
                thrown = other;
            }
            return null;
        }
    }

    @Test
    void alteredBytesAreAValueOrAreRefused() {
        Random random = new Random(SEED);
        Reading reading = new Reading();
        try (ServiceTester tester = ServiceTester.of(() -> reading).onError(ErrorPolicy.stop())) {
            int refused = 0;
            for (long input = 0; input < INPUTS; input++) {
                tester.send(value(random, 3), Value.CODEC);
                assertThat(reading.thrown).isNull();
                byte[] json = reading.payload;
                alter(json, random);
                tester.send(json, 1);
                assertThat(reading.thrown).as("seed %d, input %d", SEED, input).isNull();
                refused += reading.value.isEmpty() ? 1 : 0;
            }
            assertThat(refused).isBetween((int) INPUTS / 20, (int) INPUTS - 1);
        }
    }

    @Test
    void valuesComeBackAsTheyWere() {
        Random random = new Random(SEED + 1);
        Reading reading = new Reading();
        try (ServiceTester tester = ServiceTester.of(() -> reading)) {
            for (long input = 0; input < INPUTS / 4; input++) {
                Value sent = value(random, 3);
                tester.send(sent, Value.CODEC);
                assertThat(reading.value.orElseThrow())
                        .as("seed %d, input %d", SEED, input)
                        .usingRecursiveComparison()
                        .isEqualTo(sent);
            }
        }
    }

    private static Value value(Random random, int depth) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(0xD800)));
        }
        return new Value(
                random.nextLong(),
                random.nextInt(8) == 0 ? null : text.toString(),
                BigDecimal.valueOf(random.nextInt(), random.nextInt(10)),
                depth == 0 || random.nextBoolean()
                        ? List.of()
                        : List.of(Map.of("a", value(random, depth - 1)), Map.of()),
                new boolean[random.nextInt(4)],
                random.nextBoolean() ? Side.BUY : Side.SELL);
    }

    private static void alter(byte[] json, Random random) {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            json[random.nextInt(json.length)] =
                    BYTES.getBytes(StandardCharsets.ISO_8859_1)[random.nextInt(BYTES.length())];
        }
    }
}
