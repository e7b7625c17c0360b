package dev.baton.tck.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.ByteSize;
import dev.baton.spi.options.Durability;
import dev.baton.spi.options.OptionSpec;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** The contract on providers: a transport is found by its name and describes itself. */
public abstract class ProviderTck extends TransportTck {
    /** Called by the test of a transport. */
    protected ProviderTck() {}

    @Test
    void theTransportIsFoundByItsNameOnce() {
        List<String> names = ServiceLoader.load(TransportProvider.class).stream()
                .map(found -> found.get().name())
                .toList();

        assertThat(names).containsOnlyOnce(transport().name());
        assertThat(transport().name()).matches("[a-z][a-z0-9-]*");
    }

    @Test
    void theProviderPromisesWhatTheTransportGuarantees() {
        assertThat(provider().guarantees(fixture().openingOptions()))
                .isEqualTo(transport().guarantees());
        assertThat(transport().guarantees()).containsAll(provider().guarantees());
        assertThat(provider().summary()).isNotBlank().doesNotContain("\n");
    }

    @Test
    void unknownOptionIsRefusedWithTheKnownOnes() {
        TransportProvider provider = provider();

        assertThatThrownBy(() -> provider.open(Map.of("no-such-option", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such-option")
                .hasMessageContainingAll(
                        provider.options().stream().map(OptionSpec::name).toArray(String[]::new));
    }

    @Test
    void everyOptionSaysWhatItIs() {
        assertThat(provider().options()).allSatisfy(option -> {
            assertThat(option.name()).matches("[a-z][a-z0-9-]*");
            assertThat(option.allowed()).as(option.name()).isNotBlank();
            assertThat(option.description()).as(option.name()).isNotBlank().doesNotContain("\n");
        });
        assertThat(provider().options()).extracting(OptionSpec::name).doesNotHaveDuplicates();
    }

    @Test
    void advisedOptionsAreItsOwn() {
        TransportProvider provider = provider();
        List<String> options = provider.options().stream().map(OptionSpec::name).toList();

        assertThat(options)
                .as("options for many small topics")
                .containsAll(provider.manyTopicsOptions(20, 1_000).keySet());
        assertThat(options)
                .as("options for hours")
                .containsAll(provider.longRunOptions().keySet());
        if (provider.payloadOption() != null) {
            assertThat(options).as("the option that sets the longest payload").contains(provider.payloadOption());
        }
    }

    @Test
    void payloadOptionHasASizeAsDefault() {
        TransportProvider provider = provider();
        assumeTrue(provider.payloadOption() != null, "has no option for the longest payload");

        String defaultValue = provider.options().stream()
                .filter(option -> option.name().equals(provider.payloadOption()))
                .map(OptionSpec::defaultValue)
                .findFirst()
                .orElseThrow();
        assertThatCode(() -> ByteSize.parse(defaultValue)).as(defaultValue).doesNotThrowAnyException();
    }

    @Test
    void topicFootprintIsKnownForAnyOptions() {
        for (Map<String, String> options : List.of(
                Map.<String, String>of(),
                provider().manyTopicsOptions(20, 1_000),
                provider().longRunOptions())) {
            TopicFootprint footprint = provider().topicFootprint(options);
            assertThat(footprint.heapBytes() + footprint.directBytes())
                    .as("memory")
                    .isPositive();
            assertThat(List.of(footprint.fileBytes(), footprint.fileBytesPerFrame()))
                    .as("bytes in files")
                    .allMatch(bytes -> bytes >= 0);
            assertThat(footprint.maxFileBytes()).isPositive();
            assertThat(footprint.maxYoungBytes()).isPositive();
        }
    }

    @Test
    void refusedClaimNamesThePayloadOption() {
        List<String> options =
                provider().options().stream().map(OptionSpec::name).toList();
        assumeFalse(options.isEmpty(), "has no options");
        TopicProbe topic = openTopic();
        assertThatThrownBy(() -> topic.writer().claim(transport().maxPayload() + 1))
                .satisfies(refused -> assertThat(options)
                        .as("options, one of which is named by: " + refused.getMessage())
                        .anyMatch(option -> refused.getMessage().contains("option " + option + " ")));
    }

    @Test
    void absentDurabilityClassesAreRefusedWithPresentOnes() {
        TransportProvider provider = provider();
        OptionSpec option = provider.options().stream()
                .filter(each -> each.name().equals(Durability.OPTION))
                .findFirst()
                .orElse(null);
        assumeTrue(option != null, "has no option for its durability");
        List<String> present = List.of(option.allowed().split("\\W+"));

        assertThat(present).as(option.allowed()).contains(option.defaultValue());
        for (Durability each : Durability.values()) {
            String typed = each.name().toLowerCase(Locale.ROOT);
            if (!present.contains(typed)) {
                assertThatThrownBy(() -> provider.open(Map.of(Durability.OPTION, typed)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("durability='" + typed + "' is not allowed", option.defaultValue());
            }
        }
    }

    @Test
    void propertiesDescribeTheTransport() {
        Map<String, String> facts = transport().properties();

        assertThat(facts)
                .containsKeys("durability", "acknowledgement", "batching", "copies", "configuration", "version");
        assertThat(facts).allSatisfy((key, value) -> {
            assertThat(key).isLowerCase();
            assertThat(value).as(key).isNotBlank();
        });
    }

    private TransportProvider provider() {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(transport().name()))
                .findFirst()
                .orElseThrow(() ->
                        new AssertionError("no provider named " + transport().name()));
    }
}
