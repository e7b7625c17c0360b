package dev.baton.aeron;

import dev.baton.aeron.recording.RecordingDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The bytes of a recording in the files of the test Archive, to damage them. */
public final class RecordingFile {
    private RecordingFile() {}

    static int word(RecordingDescriptor recording, long position) {
        return word(TestArchive.shared().recordings(), recording, position);
    }

    static int word(Path recordings, RecordingDescriptor recording, long position) {
        return access(recordings, recording, position, (file, at) -> {
            ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            file.read(bytes, at);
            return bytes.getInt(0);
        });
    }

    static void word(RecordingDescriptor recording, long position, int value) {
        word(TestArchive.shared().recordings(), recording, position, value);
    }

    static void word(Path recordings, RecordingDescriptor recording, long position, int value) {
        access(
                recordings,
                recording,
                position,
                (file, at) -> file.write(
                        ByteBuffer.allocate(Integer.BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(0, value),
                        at));
    }

    public static void flip(RecordingDescriptor recording, long position, int bit) {
        long at = position + bit / Integer.SIZE * Integer.BYTES;
        word(recording, at, word(recording, at) ^ 1 << bit % Integer.SIZE);
    }

    /** Cuts the file off in which a position lies, from there on. */
    static void cut(RecordingDescriptor recording, long position) {
        access(TestArchive.shared().recordings(), recording, position, (file, at) ->
                (int) file.truncate(at).size());
    }

    private interface Access {
        int run(FileChannel file, long at) throws IOException;
    }

    private static int access(Path recordings, RecordingDescriptor recording, long position, Access access) {
        long segment = recording.segmentOf(position);
        try (FileChannel file = FileChannel.open(
                recordings.resolve(recording.id() + "-" + segment + ".rec"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return access.run(file, position - segment);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
