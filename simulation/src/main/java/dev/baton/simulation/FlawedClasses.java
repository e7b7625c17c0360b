package dev.baton.simulation;

import dev.baton.simulation.defects.MethodChange;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/** A class loader with core and the simulator, in which some classes are defective. */
final class FlawedClasses extends ClassLoader {
    private static final String OURS = "dev.baton.";

    private final Map<String, byte[]> flawed;

    private FlawedClasses(Map<String, byte[]> flawed) {
        super(FlawedClasses.class.getClassLoader());
        this.flawed = flawed;
    }

    /** Searches for the defect: {@link Hunt#find}, over the defective classes. */
    static String hunt(Flaw flaw, long firstSeed, int seeds) throws Exception {
        String rule = flaw.rule() == null ? "" : flaw.rule().name();
        return call(flaw, "find", firstSeed, seeds, rule);
    }

    /** Simplifies a schedule that meets the defect: {@link Hunt#shrunk}, over the defective classes. */
    static String shrunk(Flaw flaw, long firstSeed, int seeds) throws Exception {
        return call(flaw, "shrunk", firstSeed, seeds, flaw.rule().name());
    }

    private static String call(Flaw flaw, String method, long firstSeed, int seeds, String rule) throws Exception {
        try {
            return (String) new FlawedClasses(flaw.classes())
                    .loadClass(Hunt.class.getName())
                    .getMethod(method, long.class, int.class, String.class)
                    .invoke(null, firstSeed, seeds, rule);
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException("flaw '" + flaw.name() + "'", thrown.getCause());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, isResolved);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                byte[] bytes = flawed.containsKey(name) ? flawed.get(name) : MethodChange.classFile(name);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException | IllegalStateException failed) {
                throw new ClassNotFoundException(name, failed);
            }
        }
    }
}
