/** Meters of running chains, for Micrometer's registries. */
package dev.baton.micrometer;
