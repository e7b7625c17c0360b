package dev.baton.kafka.embedded;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/**
 * The node that a child process has to run, sent through the child's standard input: every user of the machine can list the arguments of a
 * process, and some of this is secret. Immutable, thread-safe.
 *
 * @param node its server properties
 * @param clusterId that all nodes of its cluster are formatted with
 * @param scramUsers as the formatter takes them
 * @param isTemporary whether the child removes its folder when its parent has died
 */
record ChildSetup(
        Properties node, String clusterId, List<String> scramUsers, Duration startTimeout, boolean isTemporary) {
    void send(OutputStream input) throws IOException {
        StringWriter properties = new StringWriter();
        node.store(properties, null);
        DataOutputStream out = new DataOutputStream(input);
        out.writeUTF(properties.toString());
        out.writeUTF(clusterId);
        out.writeUTF(String.join("\n", scramUsers));
        out.writeLong(startTimeout.toMillis());
        out.writeBoolean(isTemporary);
        out.flush();
    }

    /** Reads exactly its bytes: the rest of the input is for another reader. */
    static ChildSetup receive(InputStream input) throws IOException {
        DataInputStream in = new DataInputStream(input);
        Properties node = new Properties();
        node.load(new StringReader(in.readUTF()));
        return new ChildSetup(
                node, in.readUTF(), in.readUTF().lines().toList(), Duration.ofMillis(in.readLong()), in.readBoolean());
    }
}
