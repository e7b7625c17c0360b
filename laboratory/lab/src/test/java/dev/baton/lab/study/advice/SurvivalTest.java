package dev.baton.lab.study.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.options.ChosenTransport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Baton's own transports are ruled out by. */
class SurvivalTest {
    private static ChosenTransport chosen(String name, Map<String, String> options) {
        return new ChosenTransport(
                KnownTransports.onClassPath().select(List.of(name)).get(0), options, name.equals("kafka") ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            NOTHING, disruptor,
            PROCESS, disruptor, does not promise that a frame survives the process
            PROCESS, chronicle,
            PROCESS, kafka,
            HOST,    disruptor, does not promise that a frame survives the process
            HOST,    chronicle, does not promise that a frame crosses hosts
            PROCESS, aeron-archive,
            HOST,    aeron-archive, stores a single copy
            HOST,    kafka,
            """)
    void theGuaranteesOfATransportDecide(Survival survival, String transport, String reason) {
        assertThat(survival.reason(chosen(transport, Map.of()))).isEqualTo(reason);
    }

    @Test
    void aSingleCopyDoesNotSurviveAHost() {
        assertThat(Survival.HOST.reason(chosen("kafka", Map.of("acks", "1")))).isEqualTo("acks=1 stores a single copy");
        assertThat(Survival.HOST.reason(chosen("kafka", Map.of("replication", "1"))))
                .isEqualTo("replication=1 stores a single copy");
        assertThat(Survival.PROCESS.reason(chosen("kafka", Map.of("acks", "1"))))
                .isNull();
    }

    @Test
    void aHostsLossTakesThreeBrokers() {
        ChosenTransport kafka = chosen("kafka", Map.of());
        assertThat(Survival.HOST.copied(kafka, false).brokers()).isEqualTo(3);
        assertThat(Survival.PROCESS.copied(kafka, true).brokers()).isEqualTo(1);
        assertThatThrownBy(() -> Survival.HOST.copied(kafka, true))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("--brokers 3");
    }
}
