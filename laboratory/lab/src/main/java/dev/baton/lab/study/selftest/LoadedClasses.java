package dev.baton.lab.study.selftest;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Which classes this JVM has loaded, as its own diagnostic command lists them. Stateless, thread-safe. */
final class LoadedClasses {
    /** Those of the transports that users choose from, and of their libraries. */
    private static final Pattern TRANSPORTS = Pattern.compile(
            "\\b(?:dev\\.baton\\.(?:chronicle|disruptor|kafka)|net\\.openhft|com\\.lmax|org\\.apache\\.kafka)"
                    + "\\.[\\w.$]+");

    private LoadedClasses() {}

    /** Classes of transports and their libraries; null when this JVM does not tell. */
    static List<String> ofTransports() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            Object said = server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "vmClassHierarchy",
                    new Object[] {new String[] {"-i"}},
                    new String[] {String[].class.getName()});
            return TRANSPORTS
                    .matcher(String.valueOf(said))
                    .results()
                    .map(found -> found.group())
                    .distinct()
                    .sorted()
                    .toList();
        } catch (JMException | RuntimeException absent) {
            return null;
        }
    }
}
