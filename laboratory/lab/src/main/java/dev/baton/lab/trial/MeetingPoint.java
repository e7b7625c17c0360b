package dev.baton.lab.trial;

import dev.baton.lab.request.Place.Meeting;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A process's side of a {@link Meeting}. Confined to the trial's thread. */
record MeetingPoint(Meeting meeting, long pid) {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final long LOOK_NANOS = 20_000_000;

    /**
     * Arrives, and waits for the others.
     *
     * @param onLook called repeatedly meanwhile
     * @return the other processes; empty when it was ended
     * @throws CommandException when they do not arrive
     */
    List<Long> await(BooleanSupplier isOver, Runnable onLook) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        try {
            Files.write(Path.of(meeting.directory(), Long.toString(pid)), new byte[0]);
            while (!isOver.getAsBoolean()) {
                List<Long> here = here();
                if (here.size() >= meeting.processes()) {
                    return here.stream().filter(each -> each != pid).toList();
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new CommandException(
                            CommandException.Kind.FAILURE,
                            here.size() + " of " + meeting.processes() + " processes were ready within "
                                    + LONGEST.toMinutes() + " minutes");
                }
                LockSupport.parkNanos(LOOK_NANOS);
                onLook.run();
            }
            return List.of();
        } catch (IOException failed) {
            throw CommandException.environment("cannot use " + meeting.directory() + ": " + failed, failed);
        }
    }

    private List<Long> here() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(meeting.directory()))) {
            return files.map(file -> Long.valueOf(file.getFileName().toString()))
                    .toList();
        }
    }
}
