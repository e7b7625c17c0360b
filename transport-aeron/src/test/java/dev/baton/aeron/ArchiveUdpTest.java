package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.OccupiedException;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An Archive in another media driver, as another host has it: control, recording and replay cross the loopback. */
class ArchiveUdpTest {
    private static final int FRAMES = 2_000;

    @TempDir
    Path directory;

    @Test
    void topicIsSharedBetweenLocalAndRemoteSide() {
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnShutdown(true);
        try (MediaDriver driver = MediaDriver.launch(context);
                ArchiveTopic here = ArchiveTopic.in(TestArchive.options(), "both-sides");
                ArchiveTopic there = ArchiveTopic.in(
                        TestArchive.options()
                                .with(ArchiveOptions.DRIVER, Path.of(driver.aeronDirectoryName()))
                                .with(
                                        ArchiveOptions.ARCHIVE,
                                        TestArchive.shared().address()),
                        "both-sides")) {
            TopicWriter writer = here.writer();
            here.store(writer, FRAMES, 100);
            assertThatThrownBy(there::writer)
                    .isInstanceOf(OccupiedException.class)
                    .hasMessageContainingAll("try again", "aeron.client.liveness.timeout");
            TopicReader reader = there.reader();
            assertThat(reader.found().acknowledged()).isZero();
            reader.acknowledge(there.read(reader, FRAMES).get(FRAMES - 1));
            assertThatThrownBy(() -> here.connection
                            .beginReader("both-sides", ArchiveTopic.CONSUMER, StartPosition.stored())
                            .finish())
                    .isInstanceOf(OccupiedException.class);
            reader.close();
            writer.close();

            TopicWriter remote = there.writer();
            assertThat(remote.sequence()).isEqualTo(FRAMES);
            there.store(remote, FRAMES, 100);
            assertThatThrownBy(
                            () -> here.connection.beginWriter("both-sides", "").finish())
                    .isInstanceOf(OccupiedException.class);
            TopicReader rest = here.reader();
            assertThat(rest.found().acknowledged()).isEqualTo(FRAMES);
            assertThat(here.read(rest, FRAMES))
                    .containsExactlyElementsOf(LongStream.rangeClosed(FRAMES + 1, 2 * FRAMES)
                            .boxed()
                            .toList());
        }
    }
}
