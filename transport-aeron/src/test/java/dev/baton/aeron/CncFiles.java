package dev.baton.aeron;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Directories of media drivers that cannot be used. */
final class CncFiles {
    private CncFiles() {}

    /** As of a driver that has version 9.0.0 of its files. */
    static void ofAnotherVersion(Path running, Path directory) throws IOException {
        Path cnc = directory.resolve(CncFileDescriptor.CNC_FILE);
        Files.copy(running.resolve(CncFileDescriptor.CNC_FILE), cnc);
        try (FileChannel file = FileChannel.open(cnc, StandardOpenOption.WRITE)) {
            ByteBuffer version = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            version.putInt(9 << 16).flip();
            file.write(version, CncFileDescriptor.cncVersionOffset(0));
        }
    }

    /** As of a driver whose start has failed. */
    static void ofAFailedStart(Path directory) throws IOException {
        Files.write(directory.resolve(CncFileDescriptor.CNC_FILE), new byte[1 << 16]);
    }
}
