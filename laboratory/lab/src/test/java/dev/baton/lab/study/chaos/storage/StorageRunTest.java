package dev.baton.lab.study.chaos.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.study.chaos.Fault;
import dev.baton.lab.study.chaos.storage.StorageFault.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class StorageRunTest {
    private static final String WHAT = "queues/chaos-0/metadata.cq4t, byte 7, bit 1";

    private final StorageRun.Written written = new StorageRun.Written();

    StorageRunTest() {
        written.onLine(StorageChain.STORED + 500);
        written.onLine(StorageChain.RECEIVED + 300);
    }

    @Test
    void completeDeliveryIsHarmless() {
        assertThat(flipped(seen(500, 301, null, null, null))).isEqualTo(Outcome.HARMLESS);
        assertThat(flipped(seen(500, 1, null, null, null)))
                .as("delivered again")
                .isEqualTo(Outcome.HARMLESS);
    }

    @Test
    void warningMakesCompleteDeliveryRepaired() {
        assertThat(flipped(seen(500, 301, null, null, null, "the position was restored")))
                .isEqualTo(Outcome.REPAIRED);
    }

    @Test
    void refusalWithFileIsDetected() {
        assertThat(flipped(seen(0, 0, "metadata.cq4t is damaged", null, null))).isEqualTo(Outcome.DETECTED);
    }

    @Test
    void refusalWithoutFileOrPlaceIsUnclear() {
        assertThat(flipped(seen(0, 0, "topic chaos-0 cannot be written", null, null)))
                .isEqualTo(Outcome.UNCLEAR);
    }

    @Test
    void skippedAndLostMessagesAreSilent() {
        assertThat(flipped(seen(500, 302, null, null, null))).isEqualTo(Outcome.SILENT);
        assertThat(flipped(seen(499, 301, null, null, null))).isEqualTo(Outcome.SILENT);
        assertThat(flipped(seen(500, 301, null, "message 310 is missing", null)))
                .isEqualTo(Outcome.SILENT);
    }

    @Test
    void reportedLossIsDetected() {
        assertThat(flipped(seen(499, 301, null, null, null, "sequence 500 of chaos-0 is lost")))
                .isEqualTo(Outcome.DETECTED);
    }

    @Test
    void alteredMessageIsSilentDespiteWarning() {
        assertThat(flipped(seen(500, 301, null, null, "message 310 differs", "metadata.cq4t is odd")))
                .isEqualTo(Outcome.SILENT);
    }

    @Test
    void crashIsSilent() {
        assertThat(flipped(null)).isEqualTo(Outcome.SILENT);
    }

    @Test
    void lostTailIsAnnouncedInClassProcess() {
        StorageChain.Seen tail = seen(400, 301, null, null, null);
        assertThat(outcome(Fault.Kind.LOSE_POWER, false, tail)).isEqualTo(Outcome.ANNOUNCED);
        assertThat(outcome(Fault.Kind.LOSE_POWER, true, tail)).isEqualTo(Outcome.SILENT);
    }

    @Test
    void holeIsSilentInClassProcess() {
        assertThat(outcome(Fault.Kind.LOSE_POWER, false, seen(400, 301, null, "message 310 is missing", null)))
                .isEqualTo(Outcome.SILENT);
    }

    @Test
    void refusalBreaksPromiseOfClassHost() {
        StorageChain.Seen refused = seen(0, 0, "metadata.cq4t is damaged", null, null);
        assertThat(outcome(Fault.Kind.LOSE_POWER, false, refused)).isEqualTo(Outcome.DETECTED);
        assertThat(outcome(Fault.Kind.LOSE_POWER, true, refused)).isEqualTo(Outcome.BROKEN);
    }

    @Test
    void failedSyncHasToBeReported() {
        StorageChain.Seen whole = seen(500, 301, null, null, null);
        assertThat(outcome(Fault.Kind.FAIL_SYNC, true, whole)).isEqualTo(Outcome.SILENT);
        written.onLine("failed: topic chaos-0 cannot be synced to its storage device");
        assertThat(outcome(Fault.Kind.FAIL_SYNC, true, whole)).isEqualTo(Outcome.DETECTED);
    }

    private Outcome flipped(StorageChain.Seen seen) {
        return outcome(Fault.Kind.FLIP_BIT, false, seen);
    }

    private Outcome outcome(Fault.Kind kind, boolean isHost, StorageChain.Seen seen) {
        return StorageRun.judged(1, kind, WHAT, written, isHost, seen).outcome();
    }

    private static StorageChain.Seen seen(
            long found, long first, String refusal, String wrong, String altered, String... warnings) {
        return new StorageChain.Seen(found, first, refusal, wrong, altered, List.of(warnings));
    }
}
