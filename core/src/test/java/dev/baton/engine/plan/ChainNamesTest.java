package dev.baton.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Merge;
import dev.baton.Service;
import dev.baton.deadletters.DeadLetter;
import dev.baton.spi.PartitionTopic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of topics and consumers of chains. */
class ChainNamesTest {
    private static final long SEED = 37;
    private static final int TUPLES = 200_000;
    private static final int MOST_PARTS = 4;
    private static final int INSTANCES = 3;
    private static final int PARTITIONS = 3;
    private static final Service PASS = (in, out) -> out.forward(in);

    /** Parts of names, chosen so that a name may look like one of another place. */
    private static final List<String> WORDS =
            List.of("a", "0", "1", "2", "1-0", "0.dead-letters", "snapshots", "merged", "audit", "a_b", "a.b");

    private static final List<String> BETWEEN = List.of("-", ".", "_", "..", "_-");

    private final Random random = new Random(SEED);
    private final Map<String, String> places = new HashMap<>();

    @Test
    void noTwoPlacesHaveTheSameTopic() {
        for (int i = 0; i < TUPLES; i++) {
            Topic topic = topic();
            String found = places.putIfAbsent(topic.name, topic.place);
            assertThat(found == null || found.equals(topic.place))
                    .as("topic %s is that of %s and of %s", topic.name, found, topic.place)
                    .isTrue();
        }
        assertThat(places).hasSizeGreaterThan(TUPLES / 4);
    }

    @Test
    void dotsAndUnderscoresDoNotCollideInKafka() {
        for (int i = 0; i < TUPLES; i++) {
            Topic topic = topic();
            String place = topic.place.replace('.', '_');
            String found = places.putIfAbsent(topic.name.replace('.', '_'), place);
            assertThat(found == null || found.equals(place))
                    .as("topic %s is that of %s and of %s", topic.name, found, topic.place)
                    .isTrue();
        }
    }

    @Test
    void namesOfObserversAreRefused() {
        assertThatThrownBy(() -> Chain.named("observer.orders"))
                .hasMessageContaining("begins with 'observer.'")
                .hasMessageContaining("choose another name");
        assertThatThrownBy(() -> Chain.named("orders").then("observer.price", () -> PASS))
                .hasMessageContaining("service name 'observer.price'");
    }

    @Test
    void noTwoPlacesHaveTheSameConsumer() {
        for (int i = 0; i < TUPLES; i++) {
            String chain = name();
            String service = name();
            int instance = random.nextInt(INSTANCES);
            String place = chain + " " + service + " " + instance;
            String consumer = Chain.named(chain)
                    .from("elsewhere")
                    .then(service, () -> PASS)
                    .build()
                    .consumer(instance, 0);
            String found = places.putIfAbsent(consumer, place);
            assertThat(found == null || found.equals(place))
                    .as("consumer %s is that of %s and of %s", consumer, found, place)
                    .isTrue();
        }
    }

    @Test
    void everyTransportSupportsTheNames() {
        for (int i = 0; i < TUPLES / 10; i++) {
            PartitionTopic.requirePortable(topic().name);
        }
    }

    @Test
    void lettersAreNamedAfterTheirInput() {
        for (int i = 0; i < TUPLES / 10; i++) {
            Topic input = topic();
            Chain tap = Chain.tap(name(), input.name);
            assertThat(DeadLetter.inputOf(tap.deadLetterTopic(0, Chain.SINK))).isEqualTo(input.name);
        }
    }

    @Test
    void instancesDifferFromChainsOfSimilarNames() {
        assertThat(chain("auth").topic(1, 0))
                .isNotEqualTo(chain("auth-1").topic(0, 0))
                .isEqualTo("auth--1-0");
        assertThat(chain("auth").topic(0, 1)).isEqualTo("auth-1");
    }

    @Test
    void instancesOfAChainAreItsOwnTopics() {
        Chain.Builder builder = Chain.named("auth");
        assertThatThrownBy(() -> builder.from("auth--1-0")).hasMessageContaining("one of chain auth itself");
        assertThatThrownBy(() -> builder.from("auth-0@3")).hasMessageContaining("one of chain auth itself");
        assertThat(builder.from("auth-1-0").then("s", () -> PASS).build().topic(0, 0))
                .isEqualTo("auth-1-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a--1", "a-", "-a", "a---b", "a.--b", "", "."})
    void aNameWithASeparatorIsRefused(String name) {
        assertThatThrownBy(() -> Chain.named(name)).hasMessageContaining("chain name '" + name + "'; allowed are");
        assertThatThrownBy(() -> Merge.named(name)).hasMessageContaining("merge name '" + name + "'; allowed are");
        assertThatThrownBy(() -> Chain.named("a").then(name, () -> PASS))
                .hasMessageContaining("service name '" + name + "'; allowed are");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a---b", "a-", "a--", "--a"})
    void aConsumerWithATopicsSeparatorIsRefused(String name) {
        assertThatThrownBy(() -> Chain.tap(name, "topic"))
                .hasMessageContaining("consumer name '" + name + "'; allowed are");
    }

    /** One topic, and the place that it is of, as text. */
    private record Topic(String name, String place) {}

    private Topic topic() {
        Topic own = own();
        if (random.nextInt(3) > 0) {
            return own;
        }
        if (random.nextBoolean()) {
            String tap = name();
            String letters = Chain.tap(tap, own.name).deadLetterTopic(0, Chain.SINK);
            return new Topic(letters, "letters of tap (" + tap + ") of " + own.place);
        }
        String chain = name();
        String service = name();
        int instance = random.nextInt(INSTANCES);
        String place = "(" + chain + ")(" + service + ") " + instance + " of " + own.place;
        if (ChainNames.isTopicOf(chain, own.name)) {
            return own;
        }
        Chain branch =
                Chain.named(chain).from(own.name).then(service, () -> PASS).build();
        return random.nextBoolean()
                ? new Topic(branch.deadLetterTopic(instance, service), "letters of " + place)
                : new Topic(branch.snapshotTopic(instance, service), "snapshots of " + place);
    }

    private Topic own() {
        String name = name();
        int partition = random.nextInt(PARTITIONS + 1) - 1;
        int instance = random.nextInt(INSTANCES);
        int index = random.nextInt(2);
        String place = "(" + name + ") instance " + instance + " partition " + partition + " index " + index;
        Chain chain = chain(name);
        return switch (random.nextInt(5)) {
            case 0 -> partition(chain.deadLetterTopic(instance, part(index)), partition, "letters of " + place);
            case 1 -> partition(chain.snapshotTopic(instance, part(index)), partition, "snapshots of " + place);
            case 2 -> new Topic(Merge.named(name).from("x").from("y").build().topic(), "merge (" + name + ")");
            default -> partition(chain.topic(instance, index), partition, place);
        };
    }

    private static Topic partition(String topic, int partition, String place) {
        return new Topic(partition < 0 ? topic : PartitionTopic.name(topic, partition), place);
    }

    private static String part(int index) {
        return index == 0 ? "s" : Chain.SINK;
    }

    private static Chain chain(String name) {
        return Chain.named(name).then("s", () -> PASS).build();
    }

    private String name() {
        List<String> parts = new ArrayList<>();
        for (int count = 1 + random.nextInt(MOST_PARTS); count > 0; count--) {
            if (!parts.isEmpty()) {
                parts.add(any(BETWEEN));
            }
            parts.add(any(WORDS));
        }
        return String.join("", parts);
    }

    private String any(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
