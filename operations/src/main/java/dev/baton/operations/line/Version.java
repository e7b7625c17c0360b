package dev.baton.operations.line;

import picocli.CommandLine.IVersionProvider;

/** The versions of Baton and of Java. Stateless, thread-safe. */
public final class Version implements IVersionProvider {
    /** {@return the version in the jar's manifest; {@code development} outside a jar} */
    public static String ofBaton() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "baton " + ofBaton(),
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
