package dev.baton.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.baton.ConfigurationException;
import dev.baton.ErrorPolicy;
import dev.baton.UnexpectedTypeException;
import dev.baton.codec.RoutingService;
import dev.baton.codec.TypedService;
import dev.baton.deadletters.DeadLetter;
import dev.baton.test.ServiceTester;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values that chains carry as JSON. */
class JacksonCodecTest {
    record Order(long id, String symbol, List<Line> lines) {
        static final int TYPE = 3;
        static final JacksonCodec<Order> CODEC = JacksonCodec.of(TYPE, Order.class);
    }

    record Line(int quantity, double price) {}

    record Cancel(long id, String reason) {
        static final JacksonCodec<Cancel> CODEC = JacksonCodec.of(4, Cancel.class);
    }

    private static final Order ORDER =
            new Order(7, "Ä\u4e16\ud83d\ude00", List.of(new Line(3, 0.5), new Line(-1, 1e9)));

    @Test
    void recordsPassThroughAService() {
        try (ServiceTester tester = ServiceTester.of(
                TypedService.mapping(Order.CODEC, Cancel.CODEC, order -> new Cancel(order.id(), order.symbol())))) {
            tester.send(ORDER, Order.CODEC);

            assertThat(tester.takeOne(Cancel.CODEC)).isEqualTo(new Cancel(7, ORDER.symbol()));
        }
    }

    @Test
    void messageIsUtf8JsonWithCodecType() {
        try (ServiceTester tester = ServiceTester.of(() -> (in, out) -> out.send(new Cancel(1, "ü"), Cancel.CODEC))) {
            tester.send(new byte[0]);

            assertThat(tester.outputs().get(0).type()).isEqualTo(4);
            assertThat(new String(tester.takeOne().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"id\":1,\"reason\":\"ü\"}");
        }
    }

    @Test
    void generalTypesAndTreesAreValuesToo() {
        var lists = JacksonCodec.of(1, new TypeReference<List<Line>>() {});
        var trees = JacksonCodec.of(2, JsonNode.class);
        JsonNode tree = JsonNodeFactory.instance.objectNode().put("a", 1).put("b", "c");

        assertThat(through(List.of(new Line(1, 2)), lists)).containsExactly(new Line(1, 2));
        assertThat(through(tree, trees)).isEqualTo(tree);
    }

    private static <T> T through(T value, JacksonCodec<T> codec) {
        try (ServiceTester tester = forwarding()) {
            return tester.send(value, codec).takeOne(codec);
        }
    }

    private static ServiceTester forwarding() {
        return ServiceTester.of(() -> (in, out) -> out.forward(in));
    }

    @Test
    void unknownFieldsAreIgnoredMissingOnesDefaulted() {
        assertThat(decoded("{\"id\":5,\"currency\":{\"code\":[978]}}", Cancel.CODEC))
                .isEqualTo(new Cancel(5, null));
        assertThat(decoded("{}", Cancel.CODEC)).isEqualTo(new Cancel(0, null));
    }

    @Test
    void theMappersConfigurationHolds() {
        JacksonCodec<Cancel> strict = Cancel.CODEC.mapper(JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                .build());

        assertThat(decoded("{\"Id\":5}", strict)).isEqualTo(new Cancel(5, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoded("{\"Id\":5,\"Currency\":1}", strict))
                .withMessageContaining("Unrecognized field \"Currency\"");
    }

    private static <T> T decoded(String json, JacksonCodec<T> codec) {
        try (ServiceTester tester = forwarding()) {
            return tester.send(json.getBytes(StandardCharsets.UTF_8), codec.type())
                    .takeOne(codec);
        }
    }

    @Test
    void invalidValueIsRefusedWithPlace() {
        for (Map.Entry<String, String> each : Map.of(
                        "", "No content to map due to end-of-input",
                        "null", "it is null",
                        "{\"id\":1} {", "Trailing token",
                        "[1", "Cannot deserialize value of type `dev.baton.jackson.JacksonCodecTest$Cancel` from Array",
                        "{\"id\":\"x\"}", "at dev.baton.jackson.JacksonCodecTest$Cancel[\"id\"], byte 6",
                        "{\"id\":1e99}", "out of range of long",
                        "\u0000", "Illegal character ((CTRL-CHAR, code 0))")
                .entrySet()) {
            assertThatIllegalArgumentException()
                    .as(each.getKey())
                    .isThrownBy(() -> decoded(each.getKey(), Cancel.CODEC))
                    .withMessageStartingWith("message 1 of topic ")
                    .withMessageContaining(" (type 4, " + each.getKey().length()
                            + " bytes) is no dev.baton.jackson.JacksonCodecTest$Cancel in JSON: ")
                    .withMessageContaining(each.getValue())
                    .withMessageNotContaining("\n");
        }
    }

    /** A class without properties, which Jackson cannot write, and of which it cannot make a value. */
    private abstract static class Undefined {}

    @Test
    void classesWithoutDefinitionAreMistakesOfConfiguration() {
        JacksonCodec<Undefined> codec = JacksonCodec.of(9, Undefined.class);

        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> codec.maxLength(new Undefined() {}))
                .withMessageContaining("Jackson cannot write such values");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> decoded("{}", codec))
                .withMessageContaining("Jackson cannot read such values");
    }

    @Test
    void aRefusedPayloadGoesThroughTheErrorPolicy() {
        try (ServiceTester tester = ServiceTester.of(
                        RoutingService.byType().on(Cancel.CODEC, (cancel, out) -> out.send(cancel, Cancel.CODEC)))
                .onError(ErrorPolicy.deadLetter().on(UnexpectedTypeException.class, ErrorPolicy.deadLetter()))) {
            tester.send("{".getBytes(StandardCharsets.UTF_8), 4).send(ORDER, Order.CODEC);
            tester.send(new Cancel(1, "late"), Cancel.CODEC);

            assertThat(tester.takeOne(Cancel.CODEC)).isEqualTo(new Cancel(1, "late"));
            assertThat(tester.deadLetters())
                    .extracting(DeadLetter::exception)
                    .containsExactly(IllegalArgumentException.class.getName(), UnexpectedTypeException.class.getName());
        }
    }

    @Test
    void tooDeepValueIsRefusedInBothDirections() {
        JacksonCodec<JsonNode> codec = JacksonCodec.of(1, JsonNode.class).limits(60_000, 3);
        assertThat(decoded("[[[1]]]", codec).toString()).isEqualTo("[[[1]]]");
        for (String deep : List.of("[[[[1]]]]", "[".repeat(60_000), "{\"a\":".repeat(10_000))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decoded(deep, codec))
                    .withMessageContaining("maximum allowed (3");
        }

        JsonNode tree = decoded("[[[[1]]]]", JacksonCodec.of(1, JsonNode.class));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> through(tree, codec))
                .withMessageStartingWith(
                        "JacksonCodec of com.fasterxml.jackson.databind.JsonNode, type 1: a value that "
                                + "cannot be written: ")
                .withMessageContaining("maximum allowed (3");
    }

    @Test
    void tooLongValueIsRefusedInBothDirections() {
        JacksonCodec<Cancel> codec = Cancel.CODEC.limits(40, 4);
        Cancel longest = new Cancel(1, "x".repeat(40 - "{\"id\":1,\"reason\":\"\"}".length()));
        assertThat(through(longest, codec)).isEqualTo(longest);

        Cancel longer = new Cancel(1, longest.reason() + "x");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> through(longer, codec))
                .withMessage(
                        "JacksonCodec of dev.baton.jackson.JacksonCodecTest$Cancel, type 4: a value of more than 40"
                                + " bytes in JSON; JacksonCodec.limits allows others");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoded(" ".repeat(41), codec))
                .withMessageContaining("(type 4, 41 bytes)")
                .withMessageEndingWith("JacksonCodec.limits allows 40 bytes");
    }

    /** Refers to itself. */
    static final class Circle {
        public Circle next = this;
    }

    @Test
    void unwritableValueSendsNothing() {
        JacksonCodec<Circle> circles = JacksonCodec.of(1, Circle.class);
        try (ServiceTester tester = forwarding()) {
            assertThatIllegalArgumentException().isThrownBy(() -> tester.send(new Circle(), circles));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tester.send(null, Cancel.CODEC))
                    .withMessageContaining("null");
            tester.send(new Cancel(1, null), Cancel.CODEC);

            assertThat(tester.take(Cancel.CODEC)).containsExactly(new Cancel(1, null));
        }
    }

    /** Mutable. */
    static final class Counter {
        public int value;
    }

    @Test
    void changedValueIsWrittenAgain() {
        JacksonCodec<Counter> counters = JacksonCodec.of(1, Counter.class);
        Counter counter = new Counter();
        try (ServiceTester tester = forwarding()) {
            for (counter.value = 0; counter.value < 3; counter.value++) {
                tester.send(counter, counters);
            }

            assertThat(tester.take(counters)).extracting(each -> each.value).containsExactly(0, 1, 2);
        }
    }

    @Test
    void limitsBelowOneAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Cancel.CODEC.limits(0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cancel.CODEC.limits(1, 0))
                .withMessage("maxLength 1, maxDepth 0; 1 or more is allowed");
    }
}
