package dev.baton.lab.study.chaos.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.InjectedFault;
import dev.baton.lab.study.chaos.storage.StorageFaultOutcome.Outcome;
import dev.baton.lab.study.chaos.storage.StorageRun.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageRunTest {
    private static final String NAMED = "metadata.cq4t is damaged: at 301 no entry begins; restore the topic's files";
    private static final String WHAT = "queues/chaos-0/metadata.cq4t, byte 7, bit 1";

    private static final String LOSS =
            "topic chaos-0 in queues ends at sequence 400, but 500 was stored before the machine restarted";
    private static final int RECORD = 128;

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
        assertThat(lost(Promise.PROCESS, 500, seen(400, 301, null, null, null, LOSS)))
                .isEqualTo(Outcome.ANNOUNCED);
        assertThat(lost(Promise.PROCESS, 500, seen(399, 301, null, null, null, LOSS)))
                .isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 500, seen(400, 301, null, null, null))).isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 400, seen(400, 301, null, null, null)))
                .as("its record was not synced")
                .isEqualTo(Outcome.UNRECORDED);
    }

    @Test
    void lossWithoutRestartHasToBeRefused() {
        assertThat(lost(Promise.SAME_BOOT, 500, seen(400, 301, null, null, null, LOSS)))
                .isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.SAME_BOOT, 500, seen(0, 0, NAMED, null, null))).isEqualTo(Outcome.DETECTED);
    }

    @Test
    void stallIsSilentInClassProcess() {
        assertThat(lost(Promise.PROCESS, 400, seen(400, 301, null, "no message for 12 s", null, LOSS)))
                .isEqualTo(Outcome.SILENT);
    }

    @Test
    void holeNeedsAnAnnouncementOfItsTopic() {
        String ofHole = LOSS.replace("chaos-0", "chaos-1").replace("400", "309");
        assertThat(lost(Promise.PROCESS, 500, hole(310, 301, LOSS, ofHole))).isEqualTo(Outcome.ANNOUNCED);
        assertThat(lost(Promise.PROCESS, 500, hole(310, 301, LOSS))).isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 500, hole(310, 301, LOSS, LOSS.replace("chaos-0", "chaos-1"))))
                .as("another end")
                .isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 309, hole(310, 301, LOSS)))
                .as("its record was not synced")
                .isEqualTo(Outcome.UNRECORDED);
    }

    @Test
    void receiverSkipsOnlyTheAnnouncedHole() {
        String ofHole = LOSS.replace("chaos-0", "chaos-1").replace("400", "300");
        assertThat(lost(Promise.PROCESS, 500, hole(301, 320, LOSS, ofHole))).isEqualTo(Outcome.ANNOUNCED);
        assertThat(lost(Promise.PROCESS, 500, hole(302, 320, LOSS, ofHole))).isEqualTo(Outcome.SILENT);
        assertThat(lost(Promise.PROCESS, 500, seen(400, 320, null, null, null, LOSS)))
                .as("the last topic is whole")
                .isEqualTo(Outcome.SILENT);
    }

    @Test
    void recordBehindAHoleDoesNotCount(@TempDir Path trial) throws IOException {
        Path recordings = Files.createDirectories(trial.resolve("recordings"));
        Files.writeString(recordings.resolve("archive.catalog"), "alias=" + StorageChain.recordOf(1) + "8");
        ByteBuffer bytes = ByteBuffer.allocate(4 * RECORD).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < bytes.capacity(); at += RECORD) {
            bytes.putInt(at, at == 2 * RECORD ? 0 : RECORD).putLong(at + 32 + 8, 100 + at / RECORD);
            CRC32C crc = new CRC32C();
            crc.update(bytes.array(), at + 32, 28);
            bytes.putInt(at + 32 + 28, (int) crc.getValue());
        }
        Files.write(recordings.resolve("3-0.rec"), bytes.array());
        assertThat(StorageRun.recordedEnd(trial, 1, 3)).isEqualTo(101);
        assertThat(StorageRun.recordedEnd(trial, 0, 3)).as("not in the catalog").isZero();
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
        assertThat(outcome(InjectedFault.Kind.FAIL_SYNC, Promise.HOST, 500, whole))
                .isEqualTo(Outcome.SILENT);
        fail("topic chaos-0 cannot be synced to its storage device", false);
        assertThat(outcome(InjectedFault.Kind.FAIL_SYNC, Promise.HOST, 500, whole))
                .isEqualTo(Outcome.UNCLEAR);
        fail("topic chaos-0 cannot be synced to its storage device, open it again", false);
        assertThat(outcome(InjectedFault.Kind.FAIL_SYNC, Promise.HOST, 500, whole))
                .isEqualTo(Outcome.DETECTED);
    }

    @Test
    void anArchiveMayNameAFailedSyncItself() {
        fail("msync with parameter MS_SYNC failed", true);
        assertThat(outcome(InjectedFault.Kind.FAIL_SYNC, Promise.HOST, 500, seen(500, 301, null, null, null)))
                .isEqualTo(Outcome.DETECTED);
    }

    private void fail(String text, boolean isOfArchive) {
        written.onLine(StorageChain.FAILED + Json.line(new StorageChain.Failed(text, isOfArchive)));
    }

    private Outcome flipped(StorageChain.Seen seen) {
        return outcome(InjectedFault.Kind.FLIP_BIT, Promise.DETECTION, 500, seen);
    }

    private Outcome lost(Promise promise, long recorded, StorageChain.Seen seen) {
        return outcome(InjectedFault.Kind.LOSE_POWER, promise, recorded, seen);
    }

    private Outcome outcome(InjectedFault.Kind kind, Promise promise, long recorded, StorageChain.Seen seen) {
        return StorageRun.judged(1, kind, WHAT, written, promise, new long[] {recorded, recorded}, seen)
                .outcome();
    }

    private static StorageChain.Seen seen(
            long found, long first, String refusal, String wrong, String altered, String... warnings) {
        return new StorageChain.Seen(found, first, 0, refusal, false, wrong, altered, List.of(warnings));
    }

    private static StorageChain.Seen hole(long hole, long first, String... warnings) {
        return new StorageChain.Seen(400, first, hole, null, false, null, null, List.of(warnings));
    }
}
