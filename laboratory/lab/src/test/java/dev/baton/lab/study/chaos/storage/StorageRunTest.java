package dev.baton.lab.study.chaos.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.study.chaos.Fault;
import dev.baton.lab.study.chaos.storage.StorageFault.Outcome;
import dev.baton.lab.study.chaos.storage.StorageRun.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

class StorageRunTest {
    private static final String NAMED = "metadata.cq4t is damaged: at 301 no entry begins; restore the topic's files";
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
    void detectionNamesSubjectPlaceAndRemedy() {
        assertThat(flipped(seen(0, 0, NAMED, null, null))).isEqualTo(Outcome.DETECTED);
        assertThat(flipped(
                        seen(0, 0, "topic chaos-0 is damaged: at 301 no entry begins; restore the files", null, null)))
                .as("by its topic")
                .isEqualTo(Outcome.DETECTED);
        for (String vague : List.of(
                "topic chaos-1 is damaged: at 301 no entry begins; restore the files",
                "metadata.cq4t is damaged; restore the files",
                "metadata.cq4t is damaged: at 301 no entry begins",
                "topic chaos-0 cannot be written",
                "the position is behind the end of the sequence")) {
            assertThat(flipped(seen(0, 0, vague, null, null))).as(vague).isEqualTo(Outcome.UNCLEAR);
        }
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
        assertThat(flipped(seen(499, 301, null, null, null, "sequence 500 of chaos-0 is lost; restore the files")))
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
    void lostTailIsAnnouncedWithItsNumbers() {
        String warning =
                "topic chaos-0 in queues ends at sequence 400, but 500 was stored before the machine restarted";
        assertThat(lost(Promise.PROCESS, 500, seen(400, 301, null, null, null, warning)))
                .isEqualTo(Outcome.ANNOUNCED);
        assertThat(lost(Promise.PROCESS, 500, seen(399, 301, null, null, null, warning)))
                .isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 500, seen(400, 301, null, null, null))).isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 400, seen(400, 301, null, null, null)))
                .as("its record was not synced")
                .isEqualTo(Outcome.UNRECORDED);
    }

    @Test
    void lossWithoutRestartHasToBeRefused() {
        String warning =
                "topic chaos-0 in queues ends at sequence 400, but 500 was stored before the machine restarted";
        assertThat(lost(Promise.SAME_BOOT, 500, seen(400, 301, null, null, null, warning)))
                .isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.SAME_BOOT, 500, seen(0, 0, NAMED, null, null))).isEqualTo(Outcome.DETECTED);
    }

    @Test
    void holeIsSilentInClassProcess() {
        assertThat(lost(Promise.PROCESS, 500, seen(400, 301, null, "message 310 is missing", null)))
                .isEqualTo(Outcome.SILENT);
    }

    @Test
    void refusalBreaksPromiseOfClassHost() {
        StorageChain.Seen refused = seen(0, 0, NAMED, null, null);
        assertThat(lost(Promise.PROCESS, 500, refused)).isEqualTo(Outcome.DETECTED);
        assertThat(lost(Promise.HOST, 500, refused)).isEqualTo(Outcome.BROKEN);
        assertThat(lost(Promise.HOST, 500, seen(400, 301, null, null, null))).isEqualTo(Outcome.SILENT);
    }

    @Test
    void failedSyncHasToBeReported() {
        StorageChain.Seen whole = seen(500, 301, null, null, null);
        assertThat(outcome(Fault.Kind.FAIL_SYNC, Promise.HOST, 500, whole)).isEqualTo(Outcome.SILENT);
        written.onLine("failed: topic chaos-0 cannot be synced to its storage device, open it again");
        assertThat(outcome(Fault.Kind.FAIL_SYNC, Promise.HOST, 500, whole)).isEqualTo(Outcome.DETECTED);
    }

    @Test
    void anArchiveMayNameAFailedSyncItself() {
        written.onLine("failed: " + StorageChain.REFUSED_BY_ARCHIVE + "; msync with parameter MS_SYNC failed");
        assertThat(outcome(Fault.Kind.FAIL_SYNC, Promise.HOST, 500, seen(500, 301, null, null, null)))
                .isEqualTo(Outcome.DETECTED);
    }

    private Outcome flipped(StorageChain.Seen seen) {
        return outcome(Fault.Kind.FLIP_BIT, Promise.DETECTION, 500, seen);
    }

    private Outcome lost(Promise promise, long recorded, StorageChain.Seen seen) {
        return outcome(Fault.Kind.LOSE_POWER, promise, recorded, seen);
    }

    private Outcome outcome(Fault.Kind kind, Promise promise, long recorded, StorageChain.Seen seen) {
        return StorageRun.judged(1, kind, WHAT, written, promise, recorded, seen)
                .outcome();
    }

    private static StorageChain.Seen seen(
            long found, long first, String refusal, String wrong, String altered, String... warnings) {
        return new StorageChain.Seen(found, first, refusal, wrong, altered, List.of(warnings));
    }
}
