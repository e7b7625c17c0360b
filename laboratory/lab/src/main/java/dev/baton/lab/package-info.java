/**
 * The laboratory's command line: all commands by name, those of the studies from their registry. The jar's main class starts it; it may
 * use all packages below it.
 */
package dev.baton.lab;
