package dev.baton.chronicle.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stored of a position after kills and damage. */
class StoredPositionTest {
    private static final int WRITES = 6;
    private static final int ADVANCES = 70;

    private final KillableNumbers numbers = new KillableNumbers();

    private StoredPosition open() {
        return StoredPosition.open(numbers, "p", -1);
    }

    @Test
    void killedUpdateLeavesOldOrNewPosition() {
        for (int writes = 0; writes <= WRITES; writes++) {
            numbers.killAfter(Integer.MAX_VALUE);
            open().set(7, 70);
            numbers.killAfter(writes);
            Throwable killed = catchThrowable(() -> open().set(9, 90));
            assertThat(killed == null).isEqualTo(writes == WRITES);
            assertRead(writes < 3 ? 7 : 9);
        }
    }

    @Test
    void everyFlippedBitIsRepaired() {
        open().set(7, 70);
        numbers.flipEach(() -> assertRead(7));
    }

    @Test
    void killedAdvanceLeavesOldOrNewPosition() {
        for (int writes = 0; writes < 3 * ADVANCES; writes++) {
            numbers.killAfter(Integer.MAX_VALUE);
            StoredPosition position = open();
            position.set(0, 0);
            numbers.killAfter(writes);
            long[] seen = new long[2]; // sequence and index, by another process
            Throwable killed = catchThrowable(() -> advance(position, seen));
            StoredPosition left = open();
            assertThat(left.read()).isTrue();
            assertThat(left.sequence()).isBetween(seen[0], seen[0] + 1);
            assertThat(left.index()).isBetween(seen[1], 10 * left.sequence());
            if (killed == null) {
                assertThat(left.index()).isGreaterThanOrEqualTo(10 * (ADVANCES - 3));
                return;
            }
        }
        throw new AssertionError("every run was killed");
    }

    private void advance(StoredPosition position, long[] seen) {
        for (int i = 1; i <= ADVANCES; i++) {
            position.advance(i, 10 * i, false);
            StoredPosition other = open();
            assertThat(other.read()).isTrue();
            assertThat(other.sequence()).isEqualTo(i);
            assertThat(other.index()).isBetween(seen[1], 10L * i);
            seen[0] = i;
            seen[1] = other.index();
        }
    }

    @Test
    void flippedBitCostsAtMostTheLastAdvance() {
        StoredPosition position = open();
        position.set(7, 70);
        position.advance(8, 80, true);
        position.advance(9, 90, false);
        numbers.flipEach(() -> {
            StoredPosition read = open();
            assertThat(read.read()).isTrue();
            assertThat(read.sequence()).isBetween(8L, 9L);
            assertThat(read.index()).isEqualTo(80);
        });
    }

    @Test
    void flippedBitLeavesNoIndexThatWasFreed() {
        StoredPosition position = open();
        position.set(0, 0);
        StoredPosition writer = open();
        for (int i = 1; i <= ADVANCES; i++) {
            position.advance(i, 10 * i, false);
            assertThat(writer.read()).isTrue();
            long freed = writer.lowestIndex();
            numbers.flipEach(() -> {
                StoredPosition read = open();
                assertThat(read.read()).isTrue();
                assertThat(read.index()).isGreaterThanOrEqualTo(freed);
            });
        }
        assertThat(writer.lowestIndex()).isGreaterThanOrEqualTo(10 * (ADVANCES - 4));
    }

    @Test
    void advanceIntoAnotherFileNeedsNothingBefore() {
        StoredPosition position = open();
        position.set(7, 70);
        position.advance(8, 80, false);
        position.advance(9, 1L << 32, false);
        StoredPosition writer = open();
        assertThat(writer.read()).isTrue();
        assertThat(writer.lowestIndex()).isEqualTo(1L << 32);
    }

    @Test
    void advanceAfterReadingContinuesWholePosition() {
        StoredPosition position = open();
        position.set(7, 70);
        position.advance(8, 80, true);
        StoredPosition next = open(); // one copy has the index 70
        assertThat(next.read()).isTrue();
        for (int i = 9; i <= 12; i++) {
            next.advance(i, 10 * i, i > 10);
            StoredPosition whole = open();
            assertThat(whole.read()).isTrue();
            assertThat(whole.sequence()).isEqualTo(i);
        }
    }

    @Test
    void settledPositionHasLastIndex() {
        StoredPosition position = open();
        position.set(0, 0);
        for (int i = 1; i <= 5; i++) {
            position.advance(i, 10 * i, false);
        }
        position.settle();
        assertRead(5);
    }

    @Test
    void readingDuringAdvancesDoesNotGoBack() {
        for (int reads = 0; reads <= WRITES; reads++) {
            for (int writes = 0; writes <= 3 * WRITES; writes++) {
                numbers.killAfter(Integer.MAX_VALUE);
                StoredPosition owner = open();
                owner.set(7, 0);
                owner.advance(8, 0, false);
                owner.advance(9, 0, false);
                StoredPosition writer = open();
                assertThat(writer.read()).isTrue();
                numbers.killAfter(writes);
                numbers.afterReads(
                        reads,
                        () -> catchThrowable(() -> {
                            for (int i = 10; i < 10 + WRITES; i++) {
                                owner.advance(i, 0, false);
                            }
                        }));
                assertThat(writer.read()).isTrue();
                assertThat(writer.sequence())
                        .as("after %d reads, %d writes", reads, writes)
                        .isGreaterThanOrEqualTo(9);
            }
        }
    }

    @Test
    void twoDamagedCopiesHaveNoPosition() {
        open().set(7, 70);
        numbers.acquire("p.sequence", 0).setValue(8);
        numbers.acquire("p.index.copy", 0).setValue(80);
        assertThat(open().read()).isFalse();
    }

    @Test
    void namesNeedOneWholeCopy() {
        List<String> keys = List.of(
                "p.a.sequence", "p.a.index", "p.b.check", "p.b.index.copy", "p.b.check.copy", "p.b.sequence.copy");
        assertThat(StoredPosition.names(keys, "p.")).containsExactly("p.b");
    }

    private void assertRead(long sequence) {
        StoredPosition position = open();
        assertThat(position.read()).isTrue();
        assertThat(position.sequence()).isEqualTo(sequence);
        assertThat(position.index()).isEqualTo(10 * sequence);
    }
}
