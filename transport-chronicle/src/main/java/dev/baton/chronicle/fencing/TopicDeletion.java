package dev.baton.chronicle.fencing;

import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.TopicDirectory;
import dev.baton.chronicle.directory.ValidName;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.format.TopicClaim;
import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.chronicle.platform.FileFailure;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The deletion of topics that no process uses. All of them are claimed before the first is deleted, so that none gets a
 * writer. A reader that another process opens meanwhile keeps its topic and those that follow. Where the file format is
 * unknown, other processes are not noticed. Confined to one thread.
 */
public final class TopicDeletion implements AutoCloseable {
    private final TopicDirectory directory;
    private final QueueFormat format;
    private final DirectoryLocks locks;
    private final Map<String, TopicClaim> claims = new LinkedHashMap<>();

    private TopicDeletion(TopicDirectory directory, QueueFormat format, DirectoryLocks locks) {
        this.directory = directory;
        this.format = format;
        this.locks = locks;
    }

    /**
     * Deletes topics; ignores those that do not exist. May block.
     *
     * @throws TransportException when a live process uses one of them; none is deleted then
     */
    public static void delete(
            Collection<String> topics, TopicDirectory directory, QueueFormat format, DirectoryLocks locks) {
        try (TopicDeletion deletion = new TopicDeletion(directory, format, locks)) {
            TreeSet<String> all = new TreeSet<>(topics);
            all.stream()
                    .filter(topic -> ValidName.isFine(topic) && directory.exists(topic))
                    .forEach(deletion::claim);
            all.forEach(deletion::delete);
        }
    }

    private void claim(String topic) {
        if (!locks.beginWriting(topic)) {
            throw used(topic, locks.number());
        }
        try {
            locks.exclusively(topic, () -> {
                claims.put(topic, takeNow(topic));
                requireUnused(topic);
                return null;
            });
        } finally {
            if (!claims.containsKey(topic)) {
                locks.endWriting(topic);
            }
        }
    }

    private TopicClaim takeNow(String topic) {
        try {
            return format.claim(files(topic), locks::isAlive, locks.process());
        } catch (IOException e) {
            throw failed(topic, e);
        }
    }

    private void delete(String topic) {
        if (claims.containsKey(topic)) {
            locks.exclusively(topic, () -> {
                requireUnused(topic);
                directory.delete(topic);
                return null;
            });
        } else {
            directory.delete(topic);
        }
    }

    private void requireUnused(String topic) {
        TopicClaim claim = claims.get(topic);
        try {
            long user = claim.writer() != 0
                    ? claim.writer()
                    : claim.reader(files(topic), TailerPosition::isReader, locks::isAlive);
            if (user != 0) {
                throw used(topic, user);
            }
        } catch (IOException e) {
            throw failed(topic, e);
        }
    }

    private Path files(String topic) {
        return directory.root().resolve(topic);
    }

    private TransportException used(String topic, long process) {
        return new TransportException("topic " + topic + " in " + directory.root() + " is in use by process "
                + DirectoryLocks.pid(process) + "; close its connections first");
    }

    private TransportException failed(String topic, IOException e) {
        return new TransportException(
                "cannot delete topic " + topic + " in " + directory.root() + ": " + FileFailure.reason(e), e);
    }

    @Override
    public void close() {
        claims.forEach((topic, claim) -> {
            claim.close();
            locks.endWriting(topic);
        });
    }
}
