package dev.baton.simulation.defects;

/**
 * The replacement that a planted defect puts in the place of a value or of a call. Immutable.
 *
 * @param kind kind of the change
 * @param value its constant, its number, or the name of its field or method; null where the kind needs none
 */
public record Edit(Kind kind, Object value) {
    enum Kind {
        OMIT,
        CONSTANT,
        PLUS,
        FIELD,
        RECEIVER,
        COMPLETED,
        METHOD,
        STATIC
    }

    private record Static(Class<?> owner, String name) {}

    /** Leaves out a call, which then returns 0, false or null, or a store. */
    public static final Edit OMITTED = new Edit(Kind.OMIT, null);

    /** Puts null in the place of an object. */
    public static final Edit NULL = is(0);

    /** Leaves out a call, which then returns the object that was called. */
    public static final Edit RECEIVER = new Edit(Kind.RECEIVER, null);

    /** Leaves out a call, which then returns a completed future. */
    public static final Edit COMPLETED = new Edit(Kind.COMPLETED, null);

    /** Returns the edit that puts a truth value in the place of another. */
    public static Edit is(boolean constant) {
        return new Edit(Kind.CONSTANT, constant ? 1L : 0L);
    }

    /** Returns the edit that puts a number in the place of another. */
    public static Edit is(long constant) {
        return new Edit(Kind.CONSTANT, constant);
    }

    /** Returns the edit that adds to a number. */
    public static Edit plus(long number) {
        return new Edit(Kind.PLUS, number);
    }

    /** Returns the edit that puts the value of a field of this object, which has the same type, in the place of a value. */
    public static Edit field(String name) {
        return new Edit(Kind.FIELD, name);
    }

    /** Returns the edit that calls another method of the same class, with the same parameters. */
    public static Edit method(String name) {
        return new Edit(Kind.METHOD, name);
    }

    /**
     * Returns the edit that calls a static method instead: its parameters are the object whose method is called, and the parameters of that
     * method.
     *
     * @param owner a class that the changed class can access and load
     */
    public static Edit by(Class<?> owner, String name) {
        return new Edit(Kind.STATIC, new Static(owner, name));
    }

    /** Returns the internal name of the class of the static method. */
    String owner() {
        return ((Static) value).owner.getName().replace('.', '/');
    }

    /** Returns the name of the method. */
    String method() {
        return kind == Kind.STATIC ? ((Static) value).name : (String) value;
    }

    long number() {
        return (Long) value;
    }
}
