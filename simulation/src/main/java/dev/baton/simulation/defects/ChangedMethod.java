package dev.baton.simulation.defects;

import dev.baton.simulation.defects.MethodChange.Site;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Copies the code of a method, with a change. It adds no branches, so that the frames of the code stay as they are. Confined to one
 * thread.
 */
final class ChangedMethod extends MethodVisitor {
    private final MethodChange change;
    private final Edit edit;
    private final String owner;
    private final Map<String, String> fields;
    private final int access;
    private final String descriptor;
    private final BooleanSupplier takes;

    /**
     * Creates the copy of one method.
     *
     * @param owner internal name of the class
     * @param fields descriptors of its fields by name, for those before the method
     * @param takes counts a place of the change, and tells whether it is changed
     */
    ChangedMethod(
            MethodVisitor copy,
            MethodChange change,
            String owner,
            Map<String, String> fields,
            int access,
            String descriptor,
            BooleanSupplier takes) {
        super(Opcodes.ASM9, copy);
        this.change = change;
        this.edit = change.edit();
        this.owner = owner;
        this.fields = fields;
        this.access = access;
        this.descriptor = descriptor;
        this.takes = takes;
    }

    /** Writes the code of a method that does nothing. */
    static void writeEmpty(MethodVisitor code, String descriptor) {
        Type type = Type.getReturnType(descriptor);
        code.visitCode();
        if (type.getSort() != Type.VOID) {
            code.visitInsn(zero(type));
        }
        code.visitInsn(type.getOpcode(Opcodes.IRETURN));
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (change.site() != Site.PARAMETER) {
            return;
        }
        Type[] types = Type.getArgumentTypes(descriptor);
        int index = Integer.parseInt(change.member());
        if (index >= types.length || !takes.getAsBoolean()) {
            return; // another method of the name
        }
        int slot = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
        for (int i = 0; i < index; i++) {
            slot += types[i].getSize();
        }
        super.visitVarInsn(types[index].getOpcode(Opcodes.ILOAD), slot);
        editTop(types[index]);
        super.visitVarInsn(types[index].getOpcode(Opcodes.ISTORE), slot);
    }

    @Override
    public void visitMethodInsn(int opcode, String of, String name, String callee, boolean isInterface) {
        boolean isCall = change.site() == Site.CALL && change.isMember(of, name) && takes.getAsBoolean();
        Type[] arguments = Type.getArgumentTypes(callee);
        if (change.site() == Site.ARGUMENT && change.isMember(of, name) && takes.getAsBoolean()) {
            editTop(arguments[arguments.length - 1]);
        }
        if (!isCall) {
            super.visitMethodInsn(opcode, of, name, callee, isInterface);
            return;
        }
        Type result = Type.getReturnType(callee);
        switch (edit.kind()) {
            case METHOD -> super.visitMethodInsn(opcode, of, edit.method(), callee, isInterface);
            case STATIC ->
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        edit.owner(),
                        edit.method(),
                        "(L" + of + ";" + callee.substring(1),
                        false);
            case OMIT, RECEIVER, COMPLETED -> {
                for (int i = arguments.length - 1; i >= 0; i--) {
                    pop(arguments[i]);
                }
                if (edit.kind() != Edit.Kind.RECEIVER) {
                    if (opcode != Opcodes.INVOKESTATIC) {
                        super.visitInsn(Opcodes.POP);
                    }
                    push(result);
                }
            }
            default -> {
                super.visitMethodInsn(opcode, of, name, callee, isInterface);
                editTop(result);
            }
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String of, String field, String type) {
        boolean isRead = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
        Site site = isRead ? Site.READ : Site.WRITE;
        boolean isTaken = change.site() == site && change.isMember(of, field) && takes.getAsBoolean();
        if (isTaken && !isRead) {
            if (edit.kind() == Edit.Kind.OMIT) {
                pop(Type.getType(type));
                if (opcode == Opcodes.PUTFIELD) {
                    super.visitInsn(Opcodes.POP);
                }
                return;
            }
            editTop(Type.getType(type));
        }
        super.visitFieldInsn(opcode, of, field, type);
        if (isTaken && isRead) {
            editTop(Type.getType(type));
        }
    }

    @Override
    public void visitInsn(int opcode) {
        boolean isReturn = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        boolean isMonitor = opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT;
        if (isReturn && change.site() == Site.RESULT && takes.getAsBoolean()) {
            editTop(Type.getReturnType(descriptor));
        } else if (isReturn && change.site() == Site.END && takes.getAsBoolean()) {
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, edit.owner(), edit.method(), "(L" + owner + ";)V", false);
        }
        boolean isDropped = isMonitor && change.site() == Site.MONITOR && takes.getAsBoolean();
        super.visitInsn(isDropped ? Opcodes.POP : opcode);
    }

    /** Changes the value on top of the stack. */
    private void editTop(Type type) {
        if (edit.kind() == Edit.Kind.PLUS) {
            if (type.getSort() == Type.LONG) {
                super.visitLdcInsn(edit.number());
            } else {
                super.visitLdcInsn((int) edit.number());
            }
            super.visitInsn(type.getOpcode(Opcodes.IADD));
        } else {
            pop(type);
            push(type);
        }
    }

    private void pop(Type type) {
        super.visitInsn(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
    }

    /** Pushes the value of the edit, of this type. */
    private void push(Type type) {
        switch (edit.kind()) {
            case CONSTANT -> {
                switch (type.getSort()) {
                    case Type.OBJECT, Type.ARRAY -> super.visitInsn(Opcodes.ACONST_NULL);
                    case Type.LONG -> super.visitLdcInsn(edit.number());
                    default -> super.visitLdcInsn((int) edit.number());
                }
            }
            case FIELD -> {
                String field = (String) edit.value();
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitFieldInsn(Opcodes.GETFIELD, owner, field, fields.get(field));
            }
            case COMPLETED -> {
                super.visitInsn(Opcodes.ACONST_NULL);
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "java/util/concurrent/CompletableFuture",
                        "completedFuture",
                        "(Ljava/lang/Object;)Ljava/util/concurrent/CompletableFuture;",
                        false);
            }
            default -> {
                if (type.getSort() != Type.VOID) {
                    super.visitInsn(zero(type));
                }
            }
        }
    }

    private static int zero(Type type) {
        return switch (type.getSort()) {
            case Type.LONG -> Opcodes.LCONST_0;
            case Type.OBJECT, Type.ARRAY -> Opcodes.ACONST_NULL;
            default -> Opcodes.ICONST_0;
        };
    }
}
