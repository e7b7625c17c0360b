package dev.baton.chronicle.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stored of a position after kills and damage. */
class StoredPositionTest {
    private static final int WRITES = 6;

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
