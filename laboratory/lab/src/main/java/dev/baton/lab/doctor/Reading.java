package dev.baton.lab.doctor;

import java.util.List;

/** What was read or measured of one matter; its findings follow from its figures alone. Immutable, thread-safe. */
interface Reading {
    /** One or more. */
    List<Finding> findings();
}
