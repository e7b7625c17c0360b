package dev.baton.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the microbenchmarks carry their messages; the figures are measured by JMH. */
@Tag("slow")
class HopsTest {
    /** The sum of 1 to 16, four times each in the header and four in the payload, with hops and type. */
    private static final long SUM = 8 * (16 * 17 / 2) + 16 * 3;

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void allRingHopsCarryTheSameBytes(int batch) throws Exception {
        DisruptorHop hop = new DisruptorHop();
        hop.batch = batch;
        hop.payload = 32;
        hop.open();
        try {
            assertThat(hop.baton()).isEqualTo(SUM);
            assertThat(hop.reference()).isEqualTo(SUM);
        } finally {
            hop.close();
        }
    }

    @Test
    void eachOfManyChainsCarriesOneMessage() {
        ManyChains chains = new ManyChains();
        chains.slots = 64;
        chains.open();
        try {
            assertThat(chains.hop()).isEqualTo(300);
            assertThat(chains.hop()).isEqualTo(600);
        } finally {
            chains.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void allQueueHopsCarryTheSameBytes(int batch) throws Exception {
        ChronicleHop hop = new ChronicleHop();
        hop.batch = batch;
        hop.payload = 32;
        hop.open();
        try {
            long firstWords = 16 * ((1L << 16) + (2L << 32) + 1);
            assertThat(hop.baton()).isEqualTo(SUM);
            assertThat(hop.reference()).isEqualTo(SUM - 16 * 3 + firstWords);
        } finally {
            hop.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void allStreamHopsCarryTheSameBytes(int batch) throws Exception {
        AeronHop hop = new AeronHop();
        hop.batch = batch;
        hop.payload = 32;
        hop.open();
        try {
            long firstWords = 16 * ((1L << 16) + (2L << 32) + 1);
            assertThat(hop.baton()).isEqualTo(SUM);
            assertThat(hop.reference()).isEqualTo(SUM - 16 * 3 + firstWords);
        } finally {
            hop.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void checkedAndUncheckedChainsCarryAllMessages(boolean hasChecksums, @TempDir Path directory) {
        try (ChecksumCost.Side side = new ChecksumCost.Side(directory, 256, hasChecksums)) {
            assertThat(side.carry()).isEqualTo(16);
            assertThat(side.carry()).isEqualTo(32);
        }
    }

    @Test
    void checksumRatiosHaveStudentsInterval() {
        ChecksumCost.Ratio ratio = ChecksumCost.Ratio.of(new double[] {Math.log(1), Math.log(1.21)});
        double margin = 12.706 * Math.log(1.21) / 2;
        assertThat(ratio.ratio()).isCloseTo(1.1, Offset.offset(1e-9));
        assertThat(ratio.least()).isCloseTo(1.1 / Math.exp(margin), Offset.offset(1e-4));
        assertThat(ratio.most()).isCloseTo(1.1 * Math.exp(margin), Offset.offset(1e-4));
    }

    @ParameterizedTest
    @EnumSource
    void allSendersHaveAllMessagesArrive(InletCost.By by) throws Exception {
        InletCost cost = new InletCost();
        cost.by = by;
        cost.open();
        try {
            assertThat(cost.message()).isEqualTo(16);
            assertThat(cost.message()).isEqualTo(32);
        } finally {
            cost.close();
        }
    }

    @Test
    void jmhFindsThemAll() throws Exception {
        StringBuilder found = new StringBuilder();
        for (URL list : Collections.list(Hops.class.getClassLoader().getResources("META-INF/BenchmarkList"))) {
            try (InputStream in = list.openStream()) {
                found.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(found.toString()).contains("AeronHop", "ChronicleHop", "DisruptorHop", "reference", "baton");
    }
}
