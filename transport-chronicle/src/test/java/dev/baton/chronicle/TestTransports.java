package dev.baton.chronicle;

import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.platform.Device;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.chronicle.platform.RuntimeRequirements;
import java.nio.file.Path;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;

/** Transports with a clock, a device, a measure of free space or a file format of the test. */
final class TestTransports {
    private TestTransports() {}

    static ChronicleTransport in(Path directory, ChronicleOptions options, TimeProvider clock) {
        return in(directory, options, clock, Device.REAL);
    }

    static ChronicleTransport in(Path directory, ChronicleOptions options, TimeProvider clock, Device device) {
        return open(directory, QueueFormat.ofLibrary(), options, clock, null, device);
    }

    static ChronicleTransport inSpace(Path directory, ChronicleOptions options, DiskSpace.Free free) {
        return open(directory, QueueFormat.ofLibrary(), options, SystemTimeProvider.INSTANCE, free, Device.REAL);
    }

    static ChronicleTransport inFormat(Path directory, ChronicleOptions options, QueueFormat format) {
        return open(directory, format, options, SystemTimeProvider.INSTANCE, null, Device.REAL);
    }

    private static ChronicleTransport open(
            Path directory,
            QueueFormat format,
            ChronicleOptions options,
            TimeProvider clock,
            DiskSpace.Free free,
            Device device) {
        RuntimeRequirements.keepQuiet();
        return new ChronicleTransport(directory, format, options, Links.REFUSE, clock, free, device);
    }
}
