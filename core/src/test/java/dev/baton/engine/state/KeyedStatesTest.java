package dev.baton.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.ValueCodec;
import dev.baton.engine.snapshots.SnapshotBytes;
import dev.baton.run.Environment;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keyed states against a plain map: changes, failures of callbacks, and snapshots that are written meanwhile. */
class KeyedStatesTest {
    /** Keys of 8 bytes. */
    static final ValueCodec<Long> NUMBERS = ValueCodec.longs(0);

    /** A mutable value. */
    static final class Cell {
        long content;
        int version;
    }

    static final Codec<Cell> CELLS = new Codec<>() {
        @Override
        public Cell newInstance() {
            return new Cell();
        }

        @Override
        public int maxLength(Cell value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Cell value, Claim into) {
            into.putLong(0, value.content);
            return Long.BYTES;
        }

        @Override
        public void decode(Message from, Cell into) {
            into.content = from.getLong(0);
            into.version = from.type();
        }
    };

    private final class Life {
        final KeyedStates states;
        final KeyedState<Long, Cell> cells;
        final KeyedState<Long, Long> numbers;

        Life(int version) {
            states = newStates(version);
            cells = states.open("cells", NUMBERS, CELLS);
            numbers = states.open("numbers", NUMBERS, NUMBERS);
        }

        Life restore(List<byte[]> parts, int version) {
            for (byte[] part : parts) {
                SnapshotBytes in = new SnapshotBytes(new ArrayList<>(List.of(part)));
                while (!states.restore(in, version)) {}
            }
            states.restored();
            return this;
        }

        Map<Long, Long> contents() {
            Map<Long, Long> contents = new LinkedHashMap<>();
            cells.forEach((key, cell) -> contents.put(key, cell.content));
            return contents;
        }
    }

    /** Bytes of a snapshot, in slices. */
    private static final class Bytes implements SnapshotOutput {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final BooleanSupplier time;

        Bytes(BooleanSupplier time) {
            this.time = time;
        }

        @Override
        public boolean hasTime() {
            return time.getAsBoolean();
        }

        @Override
        public SnapshotOutput putByte(byte value) {
            bytes.write(value);
            return this;
        }

        @Override
        public SnapshotOutput putInt(int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SnapshotOutput putLong(long value) {
            bytes.writeBytes(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(value)
                    .array());
            return this;
        }

        @Override
        public SnapshotOutput putDouble(double value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SnapshotOutput putBytes(byte[] source, int offset, int count) {
            bytes.write(source, offset, count);
            return this;
        }

        @Override
        public long size() {
            return bytes.size();
        }
    }

    /** A put value with its time. */
    private record Put(long content, long time) {}

    private final Cell cell = new Cell();
    private long time;
    private long call;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomOperationsEqualThoseOfPlainMap(long seed) {
        Random random = new Random(seed);
        Map<Long, Put> model = new LinkedHashMap<>(); // in the order of puts
        List<byte[]> parts = new ArrayList<>();
        Life life = new Life(0).restore(parts, 0);
        Map<Long, Put> atCut = null;
        Bytes saving = null;
        boolean isWhole = true;
        for (int step = 0; step < 20_000; step++) {
            time += random.nextInt(3);
            call++;
            Map<Long, Put> before = random.nextInt(4) == 0 ? new LinkedHashMap<>(model) : null;
            for (int i = random.nextInt(4); i >= 0; i--) {
                change(random, life, model);
            }
            if (before != null) {
                life.states.rollBack();
                model = before;
            }
            assertThat(life.cells.size()).isEqualTo(model.size());
            if (saving == null && random.nextInt(100) == 0) {
                isWhole = parts.isEmpty() || random.nextInt(5) == 0;
                life.states.cut(isWhole);
                atCut = new LinkedHashMap<>(model);
                saving = new Bytes(() -> random.nextInt(3) > 0);
            }
            if (saving != null && life.states.save(saving)) {
                if (isWhole) {
                    parts.clear();
                }
                parts.add(saving.bytes.toByteArray());
                saving = null;
                Life restored = new Life(0).restore(parts, 0);
                assertThat(entries(restored)).isEqualTo(entries(atCut));
                if (random.nextInt(4) == 0) { // a crash
                    life = restored;
                    model = atCut;
                }
            }
        }
    }

    @Test
    void putRefusesKeyThatCannotBeEncoded() {
        KeyedStates states = newStates(0);
        KeyedState<String, Long> names = states.open("names", ValueCodec.strings(0), NUMBERS);
        states.restored();
        assertThatThrownBy(() -> names.put("\uD800", 1L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unpaired surrogate");
        assertThat(names.size()).isZero();
    }

    @Test
    void keysThatNoSnapshotHasLeaveNothing() {
        Life life = new Life(0).restore(List.of(), 0);
        put(life, 0, 1);
        long unchanged = savedBytes(life, true) - savedBytes(life, false);
        assertThat(unchanged).as("bytes of the value").isPositive();
        for (long key = 1; key <= 1_000; key++) {
            call++;
            put(life, key, 1);
            put(life, key, 2);
            life.cells.remove(key);
        }
        long changes = savedBytes(life, false);
        life.cells.remove(0L);
        assertThat(savedBytes(life, false)).as("with one removal").isGreaterThan(changes);
        assertThat(changes).isEqualTo(savedBytes(life, false));
    }

    private long savedBytes(Life life, boolean isWhole) {
        Bytes saving = new Bytes(() -> true);
        life.states.cut(isWhole);
        while (!life.states.save(saving)) {}
        return saving.size();
    }

    private void change(Random random, Life life, Map<Long, Put> model) {
        long key = random.nextInt(150);
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> {
                cell.content = random.nextLong();
                life.cells.put(key, cell);
                model.remove(key);
                model.put(key, new Put(cell.content, time));
                cell.content = -1; // has no effect
            }
            case 4 -> assertThat(life.cells.remove(key)).isEqualTo(model.remove(key) != null);
            case 5 -> {
                int limit = random.nextInt(5);
                long oldest = time - 120;
                List<Long> due = model.entrySet().stream()
                        .filter(each -> each.getValue().time() < oldest)
                        .map(Map.Entry::getKey)
                        .limit(limit)
                        .toList();
                List<Long> expired = new ArrayList<>();
                assertThat(life.cells.expire(Duration.ofNanos(120), limit, (each, value) -> {
                            expired.add(each);
                            assertThat(value.content)
                                    .isEqualTo(model.remove(each).content());
                        }))
                        .isEqualTo(due.size());
                assertThat(expired).isEqualTo(due);
            }
            default -> {
                Cell found = life.cells.get(key);
                Put expected = model.get(key);
                assertThat(found == null ? null : found.content).isEqualTo(expected == null ? null : expected.content);
            }
        }
    }

    private static List<String> entries(Map<Long, Put> model) {
        List<String> entries = new ArrayList<>();
        model.forEach((key, put) -> entries.add(key + "=" + put.content()));
        return entries;
    }

    private static List<String> entries(Life life) {
        List<String> entries = new ArrayList<>();
        life.cells.forEach((key, found) -> entries.add(key + "=" + found.content));
        return entries;
    }

    @Test
    void changesOfAnObjectCountOnlyWhenPut() {
        Life life = new Life(0).restore(List.of(), 0);
        put(life, 1, 10);
        life.states.cut(true);
        Bytes saving = new Bytes(() -> false);
        assertThat(life.states.save(saving)).isFalse();
        cell.content = 11;
        life.cells.get(1L).content = 12;
        put(life, 1, 13);
        while (!life.states.save(saving)) {}
        assertThat(new Life(0).restore(List.of(saving.bytes.toByteArray()), 0).contents())
                .isEqualTo(Map.of(1L, 10L));
        assertThat(life.contents()).isEqualTo(Map.of(1L, 13L));
    }

    @Test
    void snapshotsOfChangesContainNothingElse() {
        Life life = new Life(0).restore(List.of(), 0);
        for (long key = 0; key < 1_000; key++) {
            put(life, key, key);
        }
        byte[] whole = save(life, true);
        put(life, 7, 70);
        life.cells.remove(8L);
        byte[] changes = save(life, false);
        assertThat(whole.length).isGreaterThan(30_000);
        assertThat(changes.length).isLessThan(100);
        Life restored = new Life(0).restore(List.of(whole, changes), 0);
        assertThat(restored.contents()).isEqualTo(life.contents());
    }

    @Test
    void restoredTimesDecideWhatExpires() {
        Life life = new Life(0).restore(List.of(), 0);
        put(life, 1, 1);
        time = 100;
        put(life, 2, 2);
        Life restored = new Life(0).restore(List.of(save(life, true)), 0);
        assertThat(restored.cells.expire(Duration.ofNanos(100), 9)).isZero();
        assertThat(restored.cells.expire(ChronoUnit.FOREVER.getDuration(), 9)).isZero();
        time = 101;
        assertThat(restored.cells.expire(Duration.ofNanos(100), 9)).isOne();
        assertThat(restored.contents()).isEqualTo(Map.of(2L, 2L));
    }

    @Test
    void valuesOfAnEarlierVersionAreConverted() {
        Life life = new Life(1).restore(List.of(), 1);
        put(life, 1, 10);
        assertThat(life.cells.get(1L).version).isOne();
        byte[] saved = save(life, true);
        Life later = new Life(2).restore(List.of(saved), 1);
        assertThat(later.cells.get(1L).version).isEqualTo(2);
        assertThat(later.contents()).isEqualTo(Map.of(1L, 10L));
        assertThatThrownBy(() -> new Life(0).restore(List.of(saved), 1))
                .isInstanceOf(UnknownSnapshotVersionException.class);
    }

    @Test
    void statesThatAreNotDeclaredAreRefused() {
        Life life = new Life(0).restore(List.of(), 0);
        life.numbers.put(1L, 1L);
        byte[] saved = save(life, true);
        KeyedStates fewer = newStates(0);
        fewer.open("cells", NUMBERS, CELLS);
        assertThatThrownBy(() -> fewer.restore(new SnapshotBytes(new ArrayList<>(List.of(saved))), 0))
                .hasMessageContaining("'numbers'")
                .hasMessageContaining("increase the version");
        KeyedStates later = newStates(1);
        later.open("cells", NUMBERS, CELLS);
        assertThat(later.restore(new SnapshotBytes(new ArrayList<>(List.of(saved))), 0))
                .isTrue();
    }

    @Test
    void declarationsAndUseHaveTheirTime() {
        Life life = new Life(0);
        assertThatThrownBy(() -> life.cells.get(1L)).hasMessageContaining("restored after onStart");
        assertThatThrownBy(() -> life.states.open("cells", NUMBERS, CELLS)).isInstanceOf(ConfigurationException.class);
        life.states.restored();
        assertThatThrownBy(() -> life.states.open("late", NUMBERS, CELLS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("in onStart");
    }

    @Test
    void otherThreadsAreRefused() {
        Life life = new Life(0);
        life.states.restored();
        put(life, 1, 1);
        CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(() -> life.numbers.put(1L, 1L));
        assertThatThrownBy(() -> elsewhere.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the keyed state of service 's' belongs to thread");
        assertThat(life.numbers.size()).isZero();
    }

    private KeyedStates newStates(int version) {
        return new KeyedStates("s", "t", version, Environment.system(), () -> time, () -> call);
    }

    private void put(Life life, long key, long content) {
        cell.content = content;
        life.cells.put(key, cell);
    }

    private static byte[] save(Life life, boolean isWhole) {
        life.states.cut(isWhole);
        Bytes saving = new Bytes(() -> true);
        while (!life.states.save(saving)) {}
        return saving.bytes.toByteArray();
    }
}
