package dev.baton.chronicle;

import dev.baton.chronicle.format.DocumentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One seeded way to spoil a copy of a topic's files. The same seed spoils it the same way. Single-threaded. */
final class Mutation {
    static final String METADATA = "metadata.cq4t";

    private static final int[] WORDS = {
        0,
        1,
        4,
        -1,
        0x3FFF_FFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0xC000_0000,
        0x4000_0000,
        0x4000_0010,
        0x0100_0000,
        0x0000_FFFC,
        0x2000_0000
    };
    private static final long[] NUMBERS = {
        0, 1, -1, 8, 1L << 16, 1L << 20, 1L << 31, 1L << 40, 1L << 62, Long.MIN_VALUE, Long.MAX_VALUE, 0x1234_5678_9ABCL
    };

    private final Random random;
    private final StringBuilder done = new StringBuilder();

    Mutation(long seed) {
        random = new Random(seed);
    }

    /** Writes the files into an empty directory, damaged in one to three ways; answers with what was done. */
    String write(Path directory, String name, byte[] queue, byte[] metadata) throws IOException {
        byte[] damagedQueue = queue;
        byte[] damagedMetadata = metadata;
        int times = random.nextInt(10) < 7 ? 1 : 2 + random.nextInt(2);
        for (int i = 0; i < times; i++) {
            if (random.nextInt(10) < 8) {
                damagedQueue = spoil("queue", damagedQueue);
            } else {
                damagedMetadata = spoil("metadata", damagedMetadata);
            }
        }
        Path queueFile = directory.resolve(name);
        Path metadataFile = directory.resolve(METADATA);
        if (damagedQueue != null) {
            Files.write(queueFile, damagedQueue);
        }
        if (damagedMetadata != null) {
            Files.write(metadataFile, damagedMetadata);
        }
        if (random.nextInt(12) == 0) {
            addForeign(directory, name);
        }
        return done.toString();
    }

    private byte[] spoil(String what, byte[] source) {
        if (source == null || source.length < 16) {
            return source;
        }
        byte[] bytes = source.clone();
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int used = used(bytes);
        int way = random.nextInt(14);
        done.append(what).append(' ').append(way);
        switch (way) {
            case 0, 1 -> {
                for (int i = 1 + random.nextInt(4); i > 0; i--) {
                    int at = random.nextInt(used);
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                    done.append(" flip ").append(at);
                }
            }
            case 2, 3, 4 -> {
                int at = placeOfDocument(words, used);
                int value = random.nextBoolean() ? WORDS[random.nextInt(WORDS.length)] : near(words.getInt(at));
                words.putInt(at, value);
                done.append(" header ").append(at).append(" = ").append(Integer.toHexString(value));
            }
            case 5 -> {
                int at = random.nextInt(used / 4) * 4;
                words.putInt(at, WORDS[random.nextInt(WORDS.length)]);
                done.append(" word ").append(at);
            }
            case 6, 7 -> {
                int at = placeOfNumber(words, used);
                long value = NUMBERS[random.nextInt(NUMBERS.length)];
                words.putLong(at, value);
                done.append(" number ").append(at).append(" = ").append(value);
            }
            case 8 -> {
                int length = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(bytes.length);
                done.append(" cut to ").append(length);
                return java.util.Arrays.copyOf(bytes, length);
            }
            case 9 -> {
                int at = random.nextInt(used);
                byte[] garbage = new byte[Math.min(used - at, 1 + random.nextInt(300))];
                random.nextBytes(garbage);
                System.arraycopy(garbage, 0, bytes, at, garbage.length);
                done.append(" garbage ").append(at).append("+").append(garbage.length);
            }
            case 10 -> {
                int at = random.nextInt(used);
                int length = Math.min(used - at, 1 + random.nextInt(5000));
                java.util.Arrays.fill(bytes, at, at + length, (byte) 0);
                done.append(" zeros ").append(at).append("+").append(length);
            }
            case 11 -> {
                int from = random.nextInt(used);
                int to = random.nextInt(used);
                int length = Math.min(used - Math.max(from, to), 1 + random.nextInt(600));
                System.arraycopy(source, from, bytes, to, length);
                done.append(" copy ")
                        .append(from)
                        .append(" to ")
                        .append(to)
                        .append("+")
                        .append(length);
            }
            case 12 -> {
                if (random.nextInt(3) == 0) {
                    random.nextBytes(bytes);
                    done.append(" all garbage");
                } else {
                    int at = random.nextInt(Math.min(bytes.length, 200));
                    bytes[at] = (byte) random.nextInt(256);
                    done.append(" byte ").append(at);
                }
            }
            default -> {
                done.append(" gone");
                return random.nextInt(4) == 0 ? null : new byte[random.nextInt(3) * 4];
            }
        }
        done.append("; ");
        return bytes;
    }

    private static int used(byte[] bytes) {
        int used = bytes.length;
        while (used > 16 && bytes[used - 1] == 0) {
            used--;
        }
        return used;
    }

    private int near(int header) {
        return header + (random.nextInt(41) - 20) * (random.nextBoolean() ? 4 : 1);
    }

    private int placeOfDocument(ByteBuffer words, int used) {
        List<Integer> places = new ArrayList<>();
        int at = 0;
        while (at < used - 4 && words.getInt(at) > 0) {
            places.add(at);
            at = (int) DocumentHeader.next(at, DocumentHeader.length(words.getInt(at)));
        }
        places.add(Math.min(at, used - 4));
        return places.get(random.nextInt(places.size()));
    }

    private int placeOfNumber(ByteBuffer words, int used) {
        if (random.nextBoolean()) {
            return random.nextInt(Math.max(1, Math.min(used, 1000) - 8));
        }
        for (int tries = 0; tries < 200; tries++) {
            int at = random.nextInt((used - 8) / 4) * 4;
            long value = words.getLong(at);
            if (value > 0 && value < words.capacity()) {
                return at;
            }
        }
        return random.nextInt(used - 8);
    }

    private void addForeign(Path directory, String name) throws IOException {
        String other = random.nextBoolean() ? "20000101F.cq4" : "20990101F.cq4";
        Path file = directory.resolve(random.nextInt(3) == 0 ? "zz-notes.cq4" : other);
        done.append(" foreign ").append(file.getFileName());
        if (random.nextInt(4) == 0) {
            Files.createDirectory(file);
        } else if (random.nextInt(3) == 0 && Files.exists(directory.resolve(METADATA))) {
            Files.copy(directory.resolve(METADATA), file);
        } else {
            byte[] text = new byte[random.nextInt(3) * 5_000];
            random.nextBytes(text);
            Files.write(file, text);
        }
    }
}
