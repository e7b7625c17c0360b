package dev.baton.kafka.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredFramesTest {
    private final StoredFrames frames = new StoredFrames(7, 100, false);

    @Test
    void framesThatFollowEachOtherCount() {
        send(2);
        assertThat(frames.acknowledged(100)).isFalse();
        assertThat(frames.acknowledged(101)).isFalse();
        assertThat(frames.sequence()).isEqualTo(9);
        assertThat(frames.isInFlight()).isFalse();
    }

    @Test
    void nextOffsetLeavesOutFramesOfOpenTransactions() {
        StoredFrames transactional = new StoredFrames(7, 100, true);
        transactional.sending();
        transactional.acknowledged(100);
        transactional.committed(8);
        transactional.sending();
        transactional.acknowledged(102);
        assertThat(transactional.nextOffset()).isEqualTo(102);
        transactional.committed(9);
        assertThat(transactional.nextOffset()).isEqualTo(103);
    }

    @Test
    void behindGapNothingCountsUntilItIsRead() {
        send(4);
        frames.acknowledged(100);
        assertThat(frames.acknowledged(102)).as("begins something unclear").isTrue();
        assertThat(frames.acknowledged(103)).isFalse();
        assertThat(frames.sequence()).isEqualTo(8);
        assertThat(frames.unclearFrom()).isEqualTo(101);
        assertThat(frames.unclearTo()).isEqualTo(104);

        frames.cleared(104, 10);
        assertThat(frames.isUnclear()).isFalse();
        assertThat(frames.sequence()).isEqualTo(10);
        frames.acknowledged(104);
        assertThat(frames.sequence()).isEqualTo(11);
    }

    @Test
    void framesAcknowledgedWhileReadingGapAreRead() {
        send(3);
        frames.acknowledged(101);
        frames.acknowledged(102);
        frames.cleared(102, 8);
        assertThat(frames.isUnclear()).isTrue();
        assertThat(frames.sequence()).isEqualTo(8);
        frames.cleared(103, 9);
        assertThat(frames.isUnclear()).isFalse();
        assertThat(frames.sequence()).isEqualTo(9);
    }

    @Test
    void frameThatWasReadDoesNotCountTwice() {
        send(2);
        frames.acknowledged(102);
        frames.cleared(103, 9); // both were read; the first one's acknowledgement comes late
        assertThat(frames.acknowledged(101)).isFalse();
        assertThat(frames.sequence()).isEqualTo(9);
    }

    @Test
    void endBehindLastFrameIsUnclearWhenIdle() {
        send(1);
        assertThat(frames.endsAt(101)).isFalse();
        frames.acknowledged(100);
        assertThat(frames.endsAt(101)).isFalse();
        assertThat(frames.endsAt(103)).isTrue();
        assertThat(frames.unclearTo()).isEqualTo(103);
        assertThat(frames.endsAt(104)).as("told once").isFalse();
    }

    @Test
    void afterTheEndNothingCounts() {
        send(3);
        frames.acknowledged(100);
        frames.acknowledged(102);
        frames.end(8);
        frames.acknowledged(103);
        assertThat(frames.sequence()).isEqualTo(8);
        assertThat(frames.acknowledgedSequence()).isEqualTo(10);
    }

    @Test
    void transactionsCountWhenTheyAreCommittedWhateverOffsets() {
        StoredFrames inTransactions = new StoredFrames(0, 2, true);
        inTransactions.sending();
        inTransactions.acknowledged(2);
        assertThat(inTransactions.sequence()).isZero();
        inTransactions.committed(1);
        assertThat(inTransactions.sequence()).isEqualTo(1);
        assertThat(inTransactions.endsAt(4)).as("its marker").isFalse();
        assertThat(inTransactions.endsAt(6)).isTrue();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            frames.sending();
        }
    }
}
