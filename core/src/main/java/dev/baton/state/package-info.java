/**
 * Snapshots of services with a state ({@link dev.baton.StatefulService}): when they are taken, how they are written and
 * read.
 *
 * <p>Used by authors of such services; others can leave this package aside. It does not depend on other packages of Baton.
 */
package dev.baton.state;
