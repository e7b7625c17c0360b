package dev.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames of version 1 as they lie in topics: every later release reads these files and writes the same bytes. A new one
 * gets its file with {@code -Dbaton.golden.write=true}; a file that exists is never written again.
 */
class GoldenFramesTest {
    private static final Path FILES = Path.of("src/test/resources/frames");
    private static final int OFFSET = 3;
    private static final byte[] PAYLOAD = HexFormat.of().parseHex("00000000000000804d000000");

    private record Field(int id, byte[] value) {
        static Field of(int id, String hex) {
            return new Field(id, HexFormat.of().parseHex(hex));
        }
    }

    private record Golden(String name, byte[] payload, boolean isChecked, List<Field> fields) {
        @Override
        public String toString() {
            return name;
        }

        Path file() {
            return FILES.resolve("v1-" + name + ".bin");
        }

        int extensionBytes() {
            return Extension.bytes(
                    fields.stream().mapToInt(field -> field.value.length).toArray());
        }
    }

    private static final Field WRITER = Field.of(Extension.WRITER, "0300000000000000");
    private static final Field INPUT = Field.of(Extension.INPUT, "efcdab89674523010200000000000000");
    private static final Field KEY = new Field(Extension.KEY, "account-17".getBytes(StandardCharsets.UTF_8));
    private static final Field WALL_CLOCK = Field.of(Extension.WALL_CLOCK, "0080dec5152ca918");
    private static final Field TRACE =
            Field.of(Extension.TRACE, "00" + "0af7651916cd43dd8448eb211c80319c" + "b7ad6b7169203331" + "01");
    private static final Field REQUEST = Field.of(Extension.REQUEST, "efcdab8967452301" + "2a00000000000000" + "01");
    private static final Field UNKNOWN = Field.of(200, "c0ffee");

    static Stream<Golden> goldens() {
        List<Field> all = List.of(WRITER, INPUT, KEY, WALL_CLOCK, TRACE);
        return Stream.of(
                new Golden("plain", PAYLOAD, false, List.of()),
                new Golden("empty-payload", new byte[0], false, List.of()),
                new Golden("checked", PAYLOAD, true, List.of()),
                new Golden("writer", PAYLOAD, false, List.of(WRITER)),
                new Golden("input", PAYLOAD, false, List.of(INPUT)),
                new Golden("key", PAYLOAD, false, List.of(KEY)),
                new Golden("wall-clock", PAYLOAD, false, List.of(WALL_CLOCK)),
                new Golden("trace", PAYLOAD, false, List.of(TRACE)),
                new Golden("request", PAYLOAD, false, List.of(REQUEST)),
                new Golden("all-fields", PAYLOAD, false, all),
                new Golden("all-fields-checked", PAYLOAD, true, all),
                new Golden("empty-payload-checked", new byte[0], true, List.of(WRITER)),
                new Golden("unknown-field", PAYLOAD, false, List.of(UNKNOWN, WRITER)));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void aFrameIsReadAsItWasWritten(Golden golden) throws IOException {
        byte[] kept = Files.readAllBytes(golden.file());
        Frame frame = new Frame()
                .wrap(ByteBuffer.wrap(kept).order(ByteOrder.LITTLE_ENDIAN), 0, kept.length - Frame.HEADER_BYTES);
        for (Field field : golden.fields) {
            assertThat(value(frame, field.id)).as("unchecked").isEqualTo(field.value);
        }
        assertThat(frame.isPlain()).isEqualTo(golden.fields.isEmpty() && !golden.isChecked);
        assertThat(frame.isChecked()).isEqualTo(golden.isChecked);
        assertThat(frame.validate()).isNull();
        assertThat(frame.version()).isEqualTo(1);
        assertThat(frame.flags()).isEqualTo((golden.isChecked ? 0x0F : 0) | (golden.fields.isEmpty() ? 0 : 0xF0));
        assertThat(frame.servicesPassed()).isEqualTo(5);
        assertThat(frame.type()).isEqualTo(-7);
        assertThat(frame.sequence()).isEqualTo(0x0102030405060708L);
        assertThat(frame.cause()).isEqualTo(42);
        assertThat(frame.originNanos()).isEqualTo(1_000_000_007L);
        assertThat(frame.sentNanos()).isEqualTo(-1);
        assertThat(frame.extensionBytes()).isEqualTo(golden.extensionBytes());
        assertThat(bytesOf(frame)).isEqualTo(golden.payload);
        for (int id = 0; id < 256; id++) {
            assertThat(value(frame, id)).as("field %d", id).isEqualTo(valueOf(golden, id));
        }
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void theSameBytesAreWrittenAgain(Golden golden) throws IOException {
        byte[] written = written(golden);
        Path file = golden.file();
        if (Boolean.getBoolean("baton.golden.write") && Files.notExists(file)) {
            Files.write(file, written);
        }
        assertThat(written).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void everyFileIsRead() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            Set<String> names = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
            assertThat(names)
                    .isEqualTo(goldens()
                            .map(golden -> golden.file().getFileName().toString())
                            .collect(Collectors.toSet()));
        }
    }

    /** Into memory full of other bytes, as a reused ring is. */
    private static byte[] written(Golden golden) {
        int checksum = golden.isChecked ? Frame.CHECKSUM_BYTES : 0;
        int length = golden.extensionBytes() + golden.payload.length + checksum;
        ByteBuffer memory = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.fill(memory.array(), (byte) 0xA5);
        Frame frame = new Frame().wrap(memory, OFFSET, length);
        if (golden.isChecked) {
            frame.reserveChecksum();
        }
        for (Field field : golden.fields) {
            frame.putFieldBytes(frame.addField(field.id, field.value.length), field.value, 0, field.value.length);
        }
        assertThat(frame.length()).isEqualTo(golden.payload.length);
        frame.putBytes(0, golden.payload, 0, golden.payload.length);
        frame.stamp(5, -7, 42, 1_000_000_007L, -1);
        frame.sequence(0x0102030405060708L);
        if (golden.isChecked) {
            frame.seal(golden.payload.length);
        }
        byte[] bytes = new byte[Frame.HEADER_BYTES + length];
        memory.get(OFFSET, bytes);
        return bytes;
    }

    private static byte[] value(Frame frame, int id) {
        int at = frame.field(id);
        if (at == Extension.NONE) {
            return null;
        }
        byte[] value = new byte[frame.fieldLength(at)];
        frame.getFieldBytes(at, value, 0, value.length);
        return value;
    }

    private static byte[] valueOf(Golden golden, int id) {
        TreeMap<Integer, byte[]> values = new TreeMap<>();
        golden.fields.forEach(field -> values.put(field.id, field.value));
        return values.get(id);
    }

    private static byte[] bytesOf(Frame frame) {
        byte[] bytes = new byte[frame.length()];
        frame.getBytes(0, bytes, 0, bytes.length);
        return bytes;
    }
}
