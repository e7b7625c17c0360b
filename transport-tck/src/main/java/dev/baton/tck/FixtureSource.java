package dev.baton.tck;

/** Where a theme's tests get a fixture from; a transport overrides it once, as a default method. */
public interface FixtureSource {
    /** A fixture for one test, which closes it. */
    TransportFixture newFixture();
}
