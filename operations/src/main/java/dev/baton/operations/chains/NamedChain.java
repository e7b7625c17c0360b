package dev.baton.operations.chains;

import dev.baton.Chain;
import dev.baton.chains.ChainProvider;
import dev.baton.chains.ProvidedChain;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.settings.Checksum;
import dev.baton.operations.settings.Secrets;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A chain that a jar provides, as selected on the command line; kept in plans and results. Immutable, thread-safe.
 *
 * @param name under which its provider is found
 * @param options of the chain, as given on the command line
 * @param jar file name of the jar that its provider is from, or of the directory; empty when it is unknown
 * @param digest the beginning of the SHA-256 of that jar; empty for a directory
 */
public record NamedChain(String name, SortedMap<String, String> options, String jar, String digest) {
    private static final int DIGITS = 12;

    public NamedChain {
        Objects.requireNonNull(name, "name");
        options = options == null ? new TreeMap<>() : new TreeMap<>(options);
        jar = jar == null ? "" : jar;
        digest = digest == null ? "" : digest;
    }

    /** Returns a copy, so that no caller can change a plan. */
    @Override
    public SortedMap<String, String> options() {
        return new TreeMap<>(options);
    }

    /** Creates a chain that is on the class path. @throws CommandException when it is not known */
    static NamedChain of(String name, Map<String, String> options) {
        Path source = ForeignJars.source(KnownChains.named(name));
        boolean isJar = source != null && Files.isRegularFile(source);
        return new NamedChain(
                name,
                new TreeMap<>(options),
                source == null ? "" : source.getFileName().toString(),
                isJar ? digest(source) : "");
    }

    private static String digest(Path jar) {
        try {
            return Checksum.of(jar).substring(0, DIGITS);
        } catch (IOException unreadable) {
            throw CommandException.environment("cannot read " + jar + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * Opens it in this JVM, from the class path.
     *
     * @throws CommandException when it is not known, refuses its options, or fails: one line that names it and its jar
     */
    public ProvidedChain open() {
        ChainProvider provider = KnownChains.named(name);
        try {
            ProvidedChain opened = provider.open(options());
            Objects.requireNonNull(opened, "no chain");
            Objects.requireNonNull(opened.chain(), "no services");
            Objects.requireNonNull(opened.outputs(), "no outputs()");
            if (opened.maxPayload() < 0) {
                throw new IllegalStateException("maxPayload() is " + opened.maxPayload());
            }
            return opened;
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(begin(refused.getMessage()), refused);
        } catch (TransportException unavailable) {
            throw CommandException.environment(begin(unavailable.getMessage()), unavailable);
        } catch (RuntimeException failed) {
            throw CommandException.environment(
                    "chain '" + name + "' cannot be opened: " + ForeignJars.describe(provider) + " threw " + failed,
                    failed);
        } catch (LinkageError broken) {
            throw CommandException.environment(
                    "chain '" + name + "' cannot be opened, as " + ForeignJars.describe(provider)
                            + " needs a class that is missing here or was compiled against another version of one: "
                            + broken + "; add its dependencies to BATON_CLASSPATH",
                    broken);
        }
    }

    /** {@return whether one of its services has a state} Opens the chain, and creates its services. */
    public boolean hasState() {
        Chain opened = open().chain();
        try {
            return opened.services().stream()
                    .map(opened::newService)
                    .anyMatch(service -> service.state() != null || service.keyedStateVersion() >= 0);
        } catch (RuntimeException failed) {
            throw CommandException.environment("chain '" + name + "': a service cannot be created: " + failed, failed);
        }
    }

    /**
     * Opens it in this JVM to measure it.
     *
     * @throws CommandException as {@link #open}, and if it has no generator or no check
     */
    public ProvidedChain openMeasurable() {
        ProvidedChain opened = open();
        try {
            opened.generator(0, 0);
            opened.check(0, 0);
            return opened;
        } catch (UnsupportedOperationException cannot) {
            throw CommandException.usage(
                    "chain '" + name + "' can be run and replayed, but not measured: " + cannot.getMessage()
                            + "; its ProvidedChain has to implement generator and check",
                    cannot);
        }
    }

    private String begin(String message) {
        String text = String.valueOf(message);
        return text.startsWith(name) ? text : name + ": " + text;
    }

    /** Returns a copy with {@code ***} in place of every value whose key sounds like a secret. */
    public NamedChain redacted() {
        return new NamedChain(name, Secrets.redacted(options), jar, digest);
    }

    /** {@return a text for people: {@code orders (orders.jar, SHA-256 0123456789ab)}} */
    @Override
    public String toString() {
        String source = jar + (digest.isEmpty() ? "" : ", SHA-256 " + digest);
        return name + (jar.isEmpty() ? "" : " (" + source + ")");
    }
}
