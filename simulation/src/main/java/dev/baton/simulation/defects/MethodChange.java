package dev.baton.simulation.defects;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A change of what one method does, made in its compiled class: it names the method, and the call, parameter or field that is changed, so
 * that it fits whatever the lines of the source look like. It applies to all methods of the name, and to the lambda expressions in them.
 * Immutable.
 *
 * @param type name of the class
 * @param method name of the method; {@code <init>} for the constructor
 * @param site kind of what is changed
 * @param member name of the called method or of the field, possibly with that of its class ({@code Map.remove}); index of the parameter
 * @param edit the change
 * @param isFirstOnly whether only the first place in the method is changed, not all
 */
public record MethodChange(String type, String method, Site site, String member, Edit edit, boolean isFirstOnly) {
    /** The part of a method that is changed. */
    public enum Site {
        /** A call of another method, or its result. */
        CALL,
        /** The last argument of a call. */
        ARGUMENT,
        /** The value of a field that is read. */
        READ,
        /** The value that is written to a field. */
        WRITE,
        /** The value of a parameter. */
        PARAMETER,
        /** The value that the method returns. */
        RESULT,
        /** The whole method. */
        BODY,
        /** The end of the method, to which a call is added. */
        END,
        /** The monitors that the method enters. */
        MONITOR,
        /** A volatile field of the class, which becomes a plain one. */
        VOLATILE
    }

    /** The method that is changed. Immutable. */
    public record In(String type, String method) {
        /** Returns the change of the calls of a method. */
        public MethodChange call(String callee, Edit edit) {
            return new MethodChange(type, method, Site.CALL, callee, edit, false);
        }

        /** Returns the change of the last argument of the calls of a method. */
        public MethodChange passes(String callee, Edit edit) {
            return new MethodChange(type, method, Site.ARGUMENT, callee, edit, false);
        }

        /** Returns the change of what is read from a field. */
        public MethodChange reads(String field, Edit edit) {
            return new MethodChange(type, method, Site.READ, field, edit, false);
        }

        /** Returns the change of what is written to a field. */
        public MethodChange writes(String field, Edit edit) {
            return new MethodChange(type, method, Site.WRITE, field, edit, false);
        }

        /** Returns the change of a parameter; the first one has the index 0. */
        public MethodChange parameter(int index, Edit edit) {
            return new MethodChange(type, method, Site.PARAMETER, String.valueOf(index), edit, false);
        }

        /** Returns the change of what the method returns. */
        public MethodChange returns(Edit edit) {
            return new MethodChange(type, method, Site.RESULT, "", edit, false);
        }

        /** Returns the change after which the method does nothing, and returns 0, false or null. */
        public MethodChange doesNothing() {
            return new MethodChange(type, method, Site.BODY, "", Edit.OMITTED, false);
        }

        /** Returns the change after which the method ends with a call: {@link Edit#by} whose only parameter is this object. */
        public MethodChange endsWith(Edit edit) {
            return new MethodChange(type, method, Site.END, "", edit, false);
        }

        /** Returns the change after which the method enters no monitor. */
        public MethodChange entersNoMonitor() {
            return new MethodChange(type, method, Site.MONITOR, "", Edit.OMITTED, false);
        }
    }

    /** Returns the change that makes a volatile field a plain one. */
    public static MethodChange plain(String type, String field) {
        return new MethodChange(type, "", Site.VOLATILE, field, Edit.OMITTED, false);
    }

    /** Returns the method of a class, for one of its changes. */
    public static In in(String type, String method) {
        return new In(type, method);
    }

    /** Returns the change of the first place alone. */
    public MethodChange first() {
        return new MethodChange(type, method, site, member, edit, true);
    }

    /**
     * Returns a class with the change in it.
     *
     * @param classFile the class without the change
     * @throws IllegalStateException if the class has no such place any more
     */
    public byte[] applied(byte[] classFile) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        ChangedClass changed = new ChangedClass(writer);
        new ClassReader(classFile).accept(changed, 0);
        if (changed.places == 0) {
            throw new IllegalStateException("no place for the change " + this);
        }
        return writer.toByteArray();
    }

    /**
     * Returns the classes with changes in them, by name.
     *
     * @throws IllegalStateException if a class has no place for its change any more
     */
    public static Map<String, byte[]> applied(List<MethodChange> changes) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        for (MethodChange each : changes) {
            byte[] right = classes.get(each.type);
            classes.put(each.type, each.applied(right == null ? classFile(each.type) : right));
        }
        return classes;
    }

    /** Returns the class file of a class of the class path. */
    public static byte[] classFile(String type) throws IOException {
        try (InputStream stream = ClassLoader.getSystemResourceAsStream(type.replace('.', '/') + ".class")) {
            if (stream == null) {
                throw new IllegalStateException("no class " + type);
            }
            return stream.readAllBytes();
        }
    }

    boolean isMember(String owner, String name) {
        int dot = member.indexOf('.');
        return member.substring(dot + 1).equals(name)
                && (dot < 0 || owner.matches("(.*[/$])?" + member.substring(0, dot)));
    }

    /** Copies a class, with the change. Confined to one thread. */
    private final class ChangedClass extends ClassVisitor {
        private final Map<String, String> fields = new HashMap<>(); // descriptors by name
        private String name;
        private int places;

        ChangedClass(ClassVisitor writer) {
            super(Opcodes.ASM9, writer);
        }

        @Override
        public void visit(int version, int access, String of, String signature, String parent, String[] interfaces) {
            name = of;
            super.visit(version, access, of, signature, parent, interfaces);
        }

        @Override
        public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
            fields.put(field, descriptor);
            boolean isPlain =
                    site == Site.VOLATILE && member.equals(field) && (access & Opcodes.ACC_VOLATILE) != 0 && takes();
            return super.visitField(
                    isPlain ? access & ~Opcodes.ACC_VOLATILE : access, field, descriptor, signature, value);
        }

        @Override
        public MethodVisitor visitMethod(int access, String of, String descriptor, String signature, String[] thrown) {
            MethodVisitor copy = super.visitMethod(access, of, descriptor, signature, thrown);
            String lambda = "lambda$" + (method.equals("<init>") ? "new" : method) + "$";
            boolean isLambda = of.startsWith(lambda);
            boolean isWhole = site == Site.BODY || site == Site.PARAMETER || site == Site.RESULT || site == Site.END;
            if ((access & Opcodes.ACC_ABSTRACT) != 0 || !of.equals(method) && !(isLambda && !isWhole)) {
                return copy;
            }
            if (site == Site.BODY) {
                places++;
                ChangedMethod.writeEmpty(copy, descriptor);
                return null;
            }
            return new ChangedMethod(copy, MethodChange.this, name, fields, access, descriptor, this::takes);
        }

        /** Counts a place. Returns whether it is changed. */
        private boolean takes() {
            return places++ == 0 || !isFirstOnly;
        }
    }
}
